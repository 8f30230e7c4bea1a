/**
 * Writes what the containers of compose.yaml must know as files, and makes by chance what nobody brought. What is there
 * stays: it may be run again. `--add-secret` puts a new SECRET behind those that are there, `--turn-secret` the last one
 * before them: two steps, with every node started again after each, so that all can open what any of them seals.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

const { env } = process;
const folder = env.SECRETS_FOLDER;
const step = process.argv[2];

try {
  main();
} catch (fault) {
  process.stderr.write(`${fault.message}\n`);
  process.exitCode = 1;
}

function main() {
  for (const name of ['HAPROXY_IMAGE', 'POSTGRES_IMAGE'])
    if (!/@sha256:[\da-f]{64}$/.test(given(name)))
      throw new Error(`${name} must name its image by a digest (…@sha256:…)`);
  const platformSecret = given('PLATFORM_CLIENT_SECRET');
  const certificate = readCertificate(given('CERTIFICATE_FILE'));
  const brought = partsOf(env.SECRET);
  // Kept, it could not be replaced: the nodes refuse any other first one.
  if (brought.length > 0 && !/^([\da-f]{64}|[\w+/-]{43}=?)$/i.test(brought[0]))
    throw new Error(
      'SECRET must be 32 random bytes in base64 or hex, as `openssl rand -base64 32` makes them',
    );
  keep('node/platform-client-secret', platformSecret);
  keep('balancer/certificate.pem', certificate);

  const password = kept('postgres/database-password') ?? randomBytes(24).toString('hex');
  keep('postgres/database-password', password);
  keep('postgres/superuser-password', kept('postgres/superuser-password') ?? randomBytes(24).toString('hex'));
  keep('node/database-url', `postgres://sayso:${password}@postgres/sayso`);

  const before = partsOf(kept('node/secret'));
  if (before.length > 0 && !brought.every((part) => before.includes(part)))
    throw new Error('SECRET is not the one that is kept here: take it out of .env');
  const [secrets = [made()]] = [before, brought].filter((parts) => parts.length > 0);
  keep('node/secret', stepped(secrets).join(','));
}

function partsOf(text = '') {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

function stepped(secrets) {
  if (step === undefined) return secrets;
  if (step === '--add-secret') return [...secrets, made()];
  if (step === '--turn-secret') return [...secrets.slice(-1), ...secrets.slice(0, -1)];
  throw new Error(`${step} is not known: --add-secret, --turn-secret`);
}

function given(name) {
  const value = env[name]?.trim() || undefined;
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}

function made() {
  return randomBytes(32).toString('base64');
}

function readCertificate(file) {
  const text = readFileSync(file, 'utf8');
  for (const part of ['CERTIFICATE', 'PRIVATE KEY'])
    if (!new RegExp(`^-----BEGIN ([A-Z]+ )?${part}-----$`, 'm').test(text))
      throw new Error(`CERTIFICATE names a file that holds no ${part.toLowerCase()} in PEM`);
  return text;
}

function kept(name) {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** All or nothing. Its volume is seen by one container alone, whose user need not be ours. */
function keep(name, text) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${text.trim()}\n`, { mode: 0o444, flush: true });
  renameSync(`${file}.new`, file);
}
