import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from './config/environment.ts';

// Halves a start, and so comes before every import of ours. What is in it is run: it is kept among the code, where
// whoever may write could as well change that, and never in the data folder. Unwritable, nothing is lost.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/sayso'));
const { ConfigFaults, readConfig } = await import('./config/environment.ts');

const usage: Readonly<Record<string, string>> = {
  link: 'npm run --silent link -- --center <address or id> --identifier <identifier> [--scope withdraw] [--days 30]\n       npm run --silent link -- --center <address or id> --identifier <identifier> --one-click [--purpose <id>] [--headers]',
};

/** What each command of package.json runs; without one, the whole product. */
const commands: Readonly<Record<string, (config: Config, args: string[]) => Promise<void>>> = {
  async serve(config) {
    const { startSayso } = await import('./compose/product.ts');
    stopOnSignal(await startSayso(config));
  },
  async sandbox(config) {
    const { startSandboxAlone } = await import('./compose/product.ts');
    stopOnSignal(await startSandboxAlone(config));
  },
  /** Fills the compile cache, for an image whose code nobody may write. */
  async compile() {
    const { loadEverything } = await import('./compose/everything.ts');
    await loadEverything();
  },
  async check(config) {
    const { checkTenant } = await import('./compose/tools.ts');
    if (!(await checkTenant(config, print))) process.exitCode = 1;
  },
  async capture(config, [folder = 'captured']) {
    const { captureTenant } = await import('./compose/tools.ts');
    await captureTenant(config, folder, print);
  },
  async link(config, args) {
    const { mintLink, mintOneClick, oneClickHeaders } = await import('./compose/links.ts');
    const { values } = parseArgs({
      args,
      options: {
        center: { type: 'string' },
        identifier: { type: 'string' },
        scope: { type: 'string' },
        days: { type: 'string' },
        'one-click': { type: 'boolean', default: false },
        purpose: { type: 'string' },
        headers: { type: 'boolean', default: false },
      },
    });
    const isOneClick = values['one-click'];
    if (!isOneClick && (values.headers || values.purpose !== undefined))
      throw new Error('--headers and --purpose belong to --one-click');
    if (isOneClick && (values.scope !== undefined || values.days !== undefined))
      throw new Error('--scope and --days do not belong to --one-click: it only withdraws, for three years');
    if (isOneClick) {
      const href = mintOneClick(config, values);
      return print(values.headers ? oneClickHeaders(href) : href);
    }
    const { scope = 'manage', days = '30' } = values;
    print(await mintLink(config, { ...values, scope, days }));
  },
};

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** SIGTERM and SIGINT close once; a second one does not wait. */
function stopOnSignal(running: { close(): Promise<void> }): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    running.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** A wrong argument, or what the machine refuses (a port in use, a folder that cannot be written): no stack helps. */
function isOfSetting(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  if (!('code' in fault)) return fault.constructor === Error;
  return 'syscall' in fault || String(fault.code).startsWith('ERR_PARSE_ARGS_');
}

function sandboxAlone(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('PLATFORM_'));
  return { ...Object.fromEntries(kept), SANDBOX: 'on' };
}

async function main(): Promise<void> {
  const [name = 'serve', ...args] = process.argv.slice(2);
  const command = commands[name];
  try {
    if (command === undefined)
      throw new Error(`there is no command "${name}": ${Object.keys(commands).join(', ')}`);
    // The command is the asking; what there is for a tenant is not for it.
    const env = name === 'sandbox' ? sandboxAlone(process.env) : process.env;
    await command(
      readConfig(env, (path) => readFileSync(path, 'utf8')),
      args,
    );
  } catch (fault) {
    const help = usage[name] === undefined ? '' : `\nUsage: ${usage[name]}`;
    const known = fault instanceof ConfigFaults || isOfSetting(fault) || command === undefined;
    process.stderr.write(
      `${fault instanceof Error ? (known ? fault.message : (fault.stack ?? fault.message)) : String(fault)}${help}\n`,
    );
    process.exit(1);
  }
}

await main();
