import { openSigner } from '../compose/secret.ts';
import { withStores } from '../compose/stores.ts';
import type { Config } from '../config/environment.ts';
import { readDay } from '../core/model/utc-time.ts';
import { toCsv } from '../pages/csv.ts';
import type { EvidenceFinding } from '../store/evidence-check.ts';
import type { AgreedWords } from '../store/evidence-report.ts';
import { print } from './streams.ts';
import { type Values, WrongArgument } from './usage.ts';

/** Checks whether the kept evidence was changed by other hands, or exports what people agreed to on a day. */
export async function evidence(config: Config, values: Values<'evidence'>): Promise<void> {
  if (values.verify === values.export) throw new WrongArgument('say either --verify or --export');
  if (values.verify) return verifyEvidence(config);
  process.stdout.write(await exportEvidence(config, values));
}

const dayMs = 24 * 60 * 60_000;

/** Checks all stored submissions, words and roots, and prints each finding. Throws if there is any. */
function verifyEvidence(config: Config): Promise<void> {
  return withStores(config, async (stores, { secrets }) => {
    const checks = stores.evidenceChecks(await openSigner(secrets, stores));
    // The sweep has removed submissions of older days. A late result counts towards a later day.
    const since = stores.clock.now() - (config.evidenceDays - 2) * dayMs;
    let count = 0;
    for (const part of [checks.ofSubmissions(), checks.ofWords(), checks.ofRoots(since)])
      for await (const finding of part) {
        count += 1;
        print(lineOf(finding));
      }
    print(`Erased submissions: ${await checks.erased()}.`);
    if (count > 0) throw new Error(`Does not fit: ${count}. What it means: docs/record.md`);
    print('All submissions, words and roots fit.');
  });
}

/** The wordings of a purpose on a day, and how many people agreed to each, as JSON Lines or CSV. */
export function exportEvidence(
  config: Config,
  { purpose, day, center, format }: Pick<Values<'evidence'>, 'purpose' | 'day' | 'center' | 'format'>,
): Promise<string> {
  if (purpose === undefined || day === undefined) throw new WrongArgument('say --purpose and --day');
  if (format !== 'jsonl' && format !== 'csv') throw new WrongArgument('--format is jsonl or csv');
  const from = readDay(day);
  if (from === undefined) throw new WrongArgument('--day must be a day in UTC, such as 2026-03-03');
  return withStores(config, async (stores) => {
    const found = await stores.evidenceReport.agreedTo({ purpose, center, from, to: from + dayMs });
    const rows = found.map((each) => ({ day, ...rowOf(each) }));
    if (format === 'jsonl') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const names = Object.keys({ day, ...rowOf({}) });
    return toCsv([names, ...rows.map((row) => Object.values(row))]);
  });
}

/** The columns of one row. For an empty object only the names of the columns are of use. */
function rowOf({ text, ...agreed }: Partial<AgreedWords>) {
  const listed = (all: readonly { readonly name: string }[] = []) => all.map(({ name }) => name).join('; ');
  return {
    center: agreed.center,
    purpose: agreed.purpose,
    language: agreed.language,
    version: agreed.version,
    digest: agreed.digest,
    name: text?.name,
    description: text?.description,
    topics: listed(text?.topics),
    preferences: (text?.preferences ?? [])
      .map(({ name, options }) => `${name}: ${listed(options)}`)
      .join(' / '),
    agreed: agreed.agreed,
    saved: agreed.saved,
    withdrew: agreed.withdrew,
  };
}

const words: Readonly<Record<EvidenceFinding['what'], string>> = {
  unreadable: 'cannot be read: it was changed, or is of a SECRET that is missing',
  changed: 'is not what was recorded',
  words: 'points at other words than those that were shown',
  'text-changed': 'these words were changed',
  'text-missing': 'these words are missing',
  dropped: 'submissions of this day are missing',
  added: 'submissions of this day were added',
  'day-changed': 'submissions of this day are not those that were there',
  'no-root': 'this day is closed, and its root is missing',
  'root-replaced': 'the root of this day was replaced',
  'root-before': 'the root before that of this day was replaced, or is missing',
};

function lineOf(finding: EvidenceFinding): string {
  const text = words[finding.what];
  if ('digest' in finding) return `words ${finding.digest}: ${text}`;
  const where = `center ${finding.center}`;
  if ('reference' in finding) return `${where}, submission ${finding.reference}: ${text}`;
  return `${where}, ${finding.day}: ${'count' in finding ? `${finding.count} ` : ''}${text}`;
}
