import type { Config } from '../config/environment.ts';
import { usualSandboxSecret } from '../config/settings.ts';
import type { Identifiers } from '../core/model/person/identifiers.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { openDataFolder } from '../store/data-folder.ts';

type Print = (text: string) => void;

/** Starts the sandbox alone, for developers of other software. */
export async function startSandboxAlone(config: Config): Promise<Sandbox> {
  openDataFolder(config.dataDir);
  const sandbox = await openSandbox(config, { port: 4010, warn: (line) => void process.stderr.write(line) });
  process.stdout.write(sandboxWords(sandbox.url, config));
  return sandbox;
}

/** The sandbox's address, credentials and first steps. The default secret is public, so it may be printed. */
function sandboxWords(url: string, { sandbox }: Config): string {
  const { clientId, clientSecret } = sandbox;
  const isUsual = clientSecret.reveal() === usualSandboxSecret;
  const secret = isUsual ? usualSandboxSecret : '$SANDBOX_CLIENT_SECRET';
  const grant = `grant_type=client_credentials&client_id=${encodeURIComponent(clientId)}&client_secret=${secret}`;
  return [
    `Sandbox: ${url}`,
    `Client: ${clientId}, secret ${isUsual ? usualSandboxSecret : 'as SANDBOX_CLIENT_SECRET says'}`,
    `A token: curl -d "${grant}" ${url}/api/access/v1/oauth/token`,
    `The product on it: PLATFORM_URL=${url} PLATFORM_CLIENT_ID=${clientId} PLATFORM_CLIENT_SECRET=${secret} SECRET=$(openssl rand -base64 32) DATA_DIR=./data/on-sandbox npm start`,
    'More: docs/sandbox.md',
    '',
  ].join('\n');
}

/** `port` is used if the settings name none; 0 takes a free port. */
export async function openSandbox(
  config: Config,
  { port, warn }: { readonly port: number; readonly warn: Print },
): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/sandbox.ts');
  return startSandbox({
    ...config.sandbox,
    port: config.sandbox.port ?? port,
    dataDir: config.dataDir,
    clientSecret: config.sandbox.clientSecret.reveal(),
    log: (line) => warn(`${line}\n`),
  });
}

/** Warns of sandbox people whose identifiers the product refuses. */
export function tellUnusable(sandbox: Sandbox, identifiers: Identifiers, warn: Print): void {
  const all = sandbox.people().map(({ identifier }) => identifier);
  const unusable = all.filter((identifier) => identifiers.read(identifier) === undefined).length;
  if (unusable > 0) warn(`Sandbox: ${unusable} of its people cannot be opened; use ${identifiers.rule}\n`);
}
