import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A wrong argument of a command: it shows its usage and exits with 2. */
export class WrongArgument extends Error {}

interface Usage {
  readonly lines: readonly string[];
  readonly about: string;
  readonly options: ParseArgsOptionsConfig;
  /** True if the command takes words that are no options. Only `capture` does. */
  readonly allowPositionals?: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

/** The call, the purpose and the options of each command. */
export const usage = {
  serve: {
    lines: ['npm start'],
    about:
      'Starts the product, by the settings of the environment: docs/settings.md. Without any, on the sandbox.',
    options: {},
  },
  sandbox: {
    lines: ['npm run sandbox -- [--from <a folder that capture has made>]'],
    about: 'Starts the stand-in platform alone, for others to develop against: docs/sandbox.md.',
    options: { from: text },
  },
  link: {
    lines: [
      'npm run --silent link -- --center <address or id> --identifier <identifier> [--scope withdraw] [--days 30]',
      'npm run --silent link -- --center <address or id> --identifier <identifier> --one-click [--purpose <id>] [--headers]',
      'npm run --silent link -- --center <address or id> --csv <file, or - for stdin> [--days 30] > links.csv',
    ],
    about: "Prints a person's link, the address of one click, or everybody's: docs/links.md.",
    options: {
      center: text,
      identifier: text,
      scope: text,
      days: text,
      csv: text,
      'one-click': flag,
      purpose: text,
      headers: flag,
    },
  },
  'check-mail': {
    lines: ['npm run check-mail -- --file <mail.eml, or - for stdin> [--post]'],
    about:
      'Says what a mailbox provider will make of the unsubscribe headers of a mail: docs/senders.md. --post presses the button, too.',
    options: { file: text, post: flag },
  },
  check: {
    lines: [
      'npm run check [-- --json] [-- --person <identifier of a test person> [--center <address or id>]]',
    ],
    about:
      "Tries a tenant's settings, and names each fault. --person writes on the record of that person, and puts it back.",
    options: { json: flag, person: text, center: text },
  },
  capture: {
    lines: ['npm run capture -- [<folder>] [--people <people.csv>]'],
    about:
      "Writes the tenant's schemas into a folder (captured) for the sandbox; with --people also what it answers about them, without personal data.",
    options: { people: text },
    allowPositionals: true,
  },
  shadow: {
    lines: [
      'npm run shadow -- --people <people.csv, or - for stdin> [--out shadow] [--share 25] [--personal]',
    ],
    about:
      'Shows what real people would see and what each click would send, by reading alone: docs/deploy.md.',
    options: {
      people: text,
      out: { type: 'string', default: 'shadow' },
      share: { type: 'string', default: '25' },
      personal: flag,
    },
  },
  'import-links': {
    lines: [
      'npm run import-links -- --file <linktokens.csv, or - for stdin> [--days <for rows without ExpiryDate>]',
    ],
    about: "Keeps whose the tokens in links of the platform's hosted pages are: docs/links.md.",
    options: { file: text, days: text },
  },
  move: {
    lines: ['npm run move -- --to postgres'],
    about: 'Copies DATA_DIR into DATABASE_URL, and compares both. Wants SECRET, too.',
    options: { to: text },
  },
  'staff-key': {
    lines: ['npm run --silent staff-key -- [--role viewer|editor|auditor|privacy] [--anywhere]'],
    about:
      'Prints an address that opens the staff pages once, within 15 minutes, in a browser on this machine, or anywhere.',
    options: { role: { type: 'string', default: 'viewer' }, anywhere: flag },
  },
  person: {
    lines: [
      'npm run person -- --identifier <identifier> --export <file, or - for stdout>',
      'npm run person -- --identifier <identifier> --erase --reason <why> [--forget-withdrawals]',
    ],
    about:
      'Writes all that is kept about a person as JSON, or erases it in every store, and says what stays and why: docs/runbook.md.',
    options: { identifier: text, export: text, erase: flag, reason: text, 'forget-withdrawals': flag },
  },
  evidence: {
    lines: [
      'npm run evidence -- --verify',
      'npm run --silent evidence -- --export --purpose <id> --day <yyyy-mm-dd> [--center <id>] [--format jsonl|csv]',
    ],
    about:
      'Compares all submissions, the words they point at, and the signed roots of days, and names what does not fit; or tells what a purpose said on a day, and how many agreed: docs/record.md.',
    options: {
      verify: flag,
      export: flag,
      purpose: text,
      day: text,
      center: text,
      format: { type: 'string', default: 'jsonl' },
    },
  },
  compile: {
    lines: ['node src/main.mjs compile'],
    about: 'Fills the compile cache, for an image whose code is read-only.',
    options: {},
  },
} as const satisfies Readonly<Record<string, Usage>>;

export type CommandName = keyof typeof usage;
type Parsed<Name extends CommandName> = ReturnType<
  typeof parseArgs<{ options: (typeof usage)[Name]['options'] }>
>;
export type Values<Name extends CommandName> = Parsed<Name>['values'];

/** Throws if the arguments were typed wrong. */
export function parse<Name extends CommandName>(name: Name, args: readonly string[]) {
  const { options, allowPositionals = false }: Usage = usage[name];
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals });
  return { values: values as Values<Name>, positionals };
}

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(usage, name);
}

export function usageOf(name: CommandName): string {
  const { lines, about } = usage[name];
  return `Usage: ${lines.join('\n       ')}\n${about}\n`;
}
