import { readFileSync } from 'node:fs';
import { type Config, ConfigFaults, readConfig } from '../config/environment.ts';
import { faultCode } from '../core/model/fault-code.ts';
import { type CommandName, isCommand, parse, usage, usageOf, type Values, WrongArgument } from './usage.ts';

/** `read` reads the settings again, because files may have changed. */
type Command<Name extends CommandName> = (
  config: Config,
  values: Values<Name>,
  more: { readonly positionals: readonly string[]; readonly read: () => Config },
) => Promise<void>;

/** The functions of the commands in package.json. A module is loaded only when its command runs. */
const commands: { readonly [Name in CommandName]: () => Promise<Command<Name>> } = {
  serve: async () => (await import('./serve.ts')).serve,
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
  compile: async () => (await import('./compile.ts')).compile,
  check: async () => (await import('./check/tenant-check.ts')).check,
  'check-mail': async () => (await import('./check-mail.ts')).checkMail,
  capture: async () => (await import('./capture.ts')).capture,
  move: async () => (await import('./move.ts')).move,
  'staff-key': async () => (await import('./staff-key.ts')).staffKey,
  shadow: async () => (await import('./shadow.ts')).shadow,
  'import-links': async () => (await import('./import-links.ts')).importLinks,
  person: async () => (await import('./person.ts')).person,
  evidence: async () => (await import('./evidence.ts')).evidence,
  link: async () => (await import('./link.ts')).link,
};

/**
 * True for a fault that the operator can correct: a faulty setting, a refusal by the machine (a port in use,
 * a folder that cannot be written), or a data folder of another version. A stack does not help then.
 */
function isOperatorFault(fault: unknown): boolean {
  if (fault instanceof ConfigFaults) return true;
  if (!(fault instanceof Error)) return false;
  return 'code' in fault ? 'syscall' in fault : fault.constructor === Error || fault.name === 'UnknownLayout';
}

const noAnswer = 'The store does not answer, or its disk is full: try again';

/** True if the command was typed wrong. */
function isArgumentFault(fault: unknown): fault is Error {
  if (fault instanceof WrongArgument) return true;
  return faultCode(fault)?.startsWith('ERR_PARSE_ARGS_') === true;
}

/** The variables that a command reads its settings from, if these are not all of the environment. */
const environments: Partial<Readonly<Record<CommandName, (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv>>> = {
  // The command itself asks for the sandbox, so the settings of a tenant are left out.
  sandbox: sandboxAlone,
  // An image is built before anyone has settings for it.
  compile: () => ({}),
  'check-mail': () => ({}),
};

function sandboxAlone(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('PLATFORM_'));
  return { ...Object.fromEntries(kept), SANDBOX: 'on' };
}

/** Runs a command and returns its exit code. `text` goes to stdout if the code is 0, otherwise to stderr. */
export async function runCommandLine(
  [first = 'serve', ...others]: readonly string[],
  environment: NodeJS.ProcessEnv,
) {
  // An option without a command belongs to `serve`, the whole product.
  const name = first.startsWith('-') ? 'serve' : first;
  const args = first.startsWith('-') ? [first, ...others] : others;
  if (!isCommand(name))
    return { code: 2, text: `there is no command "${first}": ${Object.keys(usage).join(', ')}\n` };
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { code: 0, text: usageOf(name) };
  try {
    const env = environments[name]?.(environment) ?? environment;
    await run(name, args, () => readConfig(env, (path) => readFileSync(path, 'utf8')));
    return { code: 0, text: '' };
  } catch (fault) {
    if (isArgumentFault(fault)) return { code: 2, text: `${fault.message}\n${usageOf(name)}` };
    if (!(fault instanceof Error)) return { code: 1, text: `${String(fault)}\n` };
    if (faultCode(fault) === 'store-unavailable')
      return { code: 1, text: `${noAnswer} (${fault.cause instanceof Error ? fault.cause.message : ''})\n` };
    return { code: 1, text: `${isOperatorFault(fault) ? fault.message : (fault.stack ?? fault.message)}\n` };
  }
}

async function run<Name extends CommandName>(
  name: Name,
  args: readonly string[],
  read: () => Config,
): Promise<void> {
  const config = read();
  const { values, positionals } = parse(name, args);
  const command = await commands[name]();
  await command(config, values, { positionals, read });
}
