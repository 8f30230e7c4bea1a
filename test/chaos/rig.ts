import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { openSandbox } from '../../src/compose/sandbox.ts';
import { deriveKey } from '../../src/compose/secret.ts';
import { readConfig } from '../../src/config/environment.ts';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { sealOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import { type Form, readForm, save, switches } from '../kit/form.ts';
import { endWithUs, freePorts, type Product, type ProductProcess, startProcess } from '../kit/product.ts';
import { createSandboxClient, type SandboxClient } from '../kit/sandbox-client.ts';
import { books } from '../kit/sandbox-ids.ts';
import { until } from '../kit/until.ts';
import { type Answer, createVisitor, type Visitor } from '../kit/visitor.ts';
import { type Dice, times } from './dice.ts';
import { startProxy, type Wire } from './proxy.ts';

export { save, switches } from '../kit/form.ts';
export { books } from '../kit/sandbox-ids.ts';

const root = join(import.meta.dirname, '..', '..');

/** The platform, which outlives the product. */
export interface Platform {
  readonly port: number;
  readonly sandbox: SandboxClient;
  [Symbol.asyncDispose](): Promise<void>;
}

const credentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };

/** The settings of a product on the platform at this port. */
export function settingsFor(port: number): Readonly<Record<string, string>> {
  return {
    PLATFORM_URL: `http://127.0.0.1:${port}`,
    PLATFORM_CLIENT_ID: credentials.clientId,
    PLATFORM_CLIENT_SECRET: credentials.clientSecret,
  };
}

/**
 * Starts a platform in this process, for a tenth of the cost; in the long form, or with its own clock, in
 * another.
 */
export async function startPlatform(env: Readonly<Record<string, string>> = {}): Promise<Platform> {
  if (times('NODE_OPTIONS' in env, true)) return startPlatformProcess(env);
  const home = mkdtempSync(join(tmpdir(), 'sayso-platform-'));
  const config = readConfig({ DATA_DIR: home, SANDBOX: 'on', ...env }, () => '');
  const running = await openSandbox(config, { port: 0, warn: (text) => void process.stderr.write(text) });
  return {
    port: running.port,
    sandbox: createSandboxClient(running.url, credentials),
    async [Symbol.asyncDispose]() {
      await running.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function startPlatformProcess(env: Readonly<Record<string, string>>): Promise<Platform> {
  const home = mkdtempSync(join(tmpdir(), 'sayso-platform-'));
  const [port = 0] = await freePorts(1);
  const child = spawn(process.execPath, [join(root, 'src', 'main.mjs'), 'sandbox'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: home, SANDBOX_PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endWithUs(child);
  const sandbox = createSandboxClient(`http://127.0.0.1:${port}`, credentials);
  await until(() => sandbox.people().catch(() => undefined), 'the platform starts');
  return {
    port,
    sandbox,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The address and settings of a product, or of many behind one address. */
export type Front = Pick<Product, 'env' | 'url'>;

export interface Rig {
  readonly product: ProductProcess;
  readonly front: Front;
  readonly proxy: Wire;
  readonly sandbox: SandboxClient;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the platform, a proxy, and the product on that proxy: three places of trouble. */
export async function startRig(env: Readonly<Record<string, string>> = {}): Promise<Rig> {
  await using started = new AsyncDisposableStack();
  const platform = started.use(await startPlatform());
  const proxy = await startProxy(platform.port);
  started.defer(() => proxy.close());
  const product = started.use(await startProcess({ env: { ...settingsFor(proxy.port), ...env } }));
  // A start that fails ends what was started before it.
  const all = started.move();
  return {
    product,
    front: product,
    proxy,
    sandbox: platform.sandbox,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** A person's signed link, as `npm run link` makes it, but without a process. */
export async function linkTo(product: Front, center: string, identifier: string): Promise<string> {
  const token = await new SignJWT({ scope: 'manage' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('sayso')
    .setAudience(center)
    .setSubject(identifier)
    .setIssuedAt()
    .setExpirationTime('1d')
    .sign(deriveKey(product.env['SECRET'] ?? '', 'link'));
  return `${product.url}/centers/${center}?t=${token}`;
}

/** A visitor on their preferences page. */
export interface OpenForm {
  readonly visitor: Visitor;
  readonly page: Answer;
  readonly form: Form;
}

export async function openForm(product: Front, center: string, identifier: string): Promise<OpenForm> {
  const visitor = createVisitor(product.url);
  const link = await linkTo(product, center, identifier);
  let page = await visitor.open(link);
  // Under load the page asks the visitor to come back, and the visitor does.
  for (let tries = 0; page.status === 503 && tries < 60; tries += 1) {
    await pause(1_000);
    page = await visitor.open(link);
  }
  if (page.status !== 200) throw new Error(`the page answered ${page.status}: ${page.text.slice(0, 500)}`);
  return { visitor, page, form: readForm(page.text) };
}

/** Posts the form as it is now filled. */
export function send({ visitor, page, form }: OpenForm): Promise<Answer> {
  const { action, fields } = form.press(save);
  return visitor.post(new URL(action, page.url).href, fields);
}

/** A person on their page, with one purpose to switch off and one to switch on. */
export interface Someone extends OpenForm {
  /** The person's identifier. */
  readonly who: string;
  readonly leaving: string;
  readonly joining: string;
  /** Whether `joining` is on record now. */
  hasJoined(): Promise<boolean>;
  /** Whether `leaving` is off the record now. */
  hasLeft(): Promise<boolean>;
}

/** Makes a new person of `books`. Dice pick the two purposes; without dice they are the first ones. */
export async function someone(given: {
  readonly rig: { readonly front: Front; readonly sandbox: SandboxClient };
  readonly who: string;
  readonly dice?: Dice | undefined;
}): Promise<Someone> {
  const { who, dice } = given;
  const { front, sandbox } = given.rig;
  await makeKnown(sandbox, who);
  const opened = await openForm(front, books, who);
  const { on, off } = switches(opened.form);
  const isOn = async (purpose: string) => (await onRecord(sandbox, books, who)).has(purpose.toLowerCase());
  const choose = (list: readonly string[]) => dice?.pick(list) ?? list[0] ?? '';
  const known = await onRecord(sandbox, books, who);
  // A purpose that is on by default is not on record, and would count as withdrawn from the beginning.
  const leaving = choose(on.filter((id) => known.has(id.toLowerCase())));
  const joining = choose(off);
  return {
    ...opened,
    who,
    leaving,
    joining,
    hasJoined: () => isOn(joining),
    hasLeft: async () => !(await isOn(leaving)),
  };
}

/** Asserts that no grant came later than its minute and the time that its last call may take. */
export async function assertNoneLate(
  sandbox: SandboxClient,
  trials: readonly (Pick<Someone, 'who' | 'joining'> & { readonly postedAt: number })[],
): Promise<void> {
  const calls = await sandbox.calls({ operation: 'update-subject' });
  for (const { who, joining, postedAt } of trials) {
    const grants = calls.filter(
      ({ identifier, body }) =>
        identifier === who && JSON.stringify(body).toLowerCase().includes(joining.toLowerCase()),
    );
    for (const { at } of grants) assert.ok(Date.parse(at) - postedAt < 68_000, `opted in late: ${who}`);
  }
}

/** The one-click address in a mail, which unsubscribes the person from everything. */
export function oneClickOf({ env, url }: Front, identifier: string): string {
  const subject = identifier as SubjectId;
  const made = { center: books, subject, purpose: undefined, madeAt: Date.now() };
  return `${url}/u/${sealOneClick(createSeal([env['SECRET'] ?? '']), made)}`;
}

/** Posts a one-click, as a mailbox provider does for a person. */
export async function click(front: Front, identifier: string): Promise<Answer> {
  return createVisitor(front.url).post(oneClickOf(front, identifier), [['List-Unsubscribe', 'One-Click']]);
}

/** The status of a node's health page, asked past any balancer. */
export async function healthOf({ env }: Pick<Product, 'env'>, kind: 'live' | 'ready'): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${env['PORT']}/health/${kind}`);
  await answer.body?.cancel();
  return answer.status;
}

/** The result of `run`, with the milliseconds that it took. */
export async function timed<T>(run: () => Promise<T>): Promise<T & { readonly ms: number }> {
  const began = performance.now();
  const result = await run();
  return { ...result, ms: performance.now() - began };
}

/** The number of submissions that wait, from the product's metrics. */
export async function pendingOf(url: string): Promise<number> {
  const text = await (await fetch(url)).text();
  assert.match(text, /^sayso_journal_submissions\{/m);
  return Number(/^sayso_journal_submissions\{state="pending"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

const given = new Set(['ACTIVE', 'OPT_IN', 'EXTEND', 'CHANGE_PREFERENCES']);

/** Purposes (lower case) whose consent is on record and can be withdrawn, which ALWAYS_ACTIVE cannot. */
export async function onRecord(
  sandbox: SandboxClient,
  center: string,
  identifier: string,
): Promise<Set<string>> {
  const { Purposes } = await sandbox.subject(center, identifier);
  const active = Purposes.filter(({ TransactionStatus }) => given.has(TransactionStatus));
  return new Set(active.map(({ Id }) => Id.toLowerCase()));
}

/**
 * Whether `holds` becomes true within `ms`; it is asked again and again. Only the long form keeps to `ms`:
 * beside all other tests everything takes longer.
 */
export async function within(ms: number, holds: () => Promise<boolean>): Promise<boolean> {
  const last = performance.now() + times(Math.max(ms, 120_000), ms);
  for (;;) {
    if (await holds()) return true;
    if (performance.now() > last) return false;
    await pause(100);
  }
}

/** Gives a new person Anna's record, by the platform's own interface. */
export async function makeKnown(sandbox: SandboxClient, identifier: string, name = 'Robin'): Promise<void> {
  const { Purposes, DsDataElements } = await sandbox.subject(books, 'anna@example.org');
  const active = Purposes.filter(({ TransactionStatus }) => TransactionStatus === 'ACTIVE');
  const ids = (list: readonly { readonly Id: string }[] = []) => list.map(({ Id }) => ({ Id }));
  const answer = await sandbox.call(
    `/api/consentmanager/v1/preferencecenters/${books}/datasubjects/preferences`,
    {
      method: 'PUT',
      headers: { identifier, 'content-type': 'application/json' },
      body: JSON.stringify({
        dsDataElements: { ...DsDataElements, 'First Name': name },
        Purposes: active.map(({ Id, Topics, CustomPreferences = [] }) => ({
          Id,
          Topics: ids(Topics),
          CustomPreferences: CustomPreferences.map((preference) => ({
            Id: preference.Id,
            Options: ids(preference.Options),
          })),
        })),
      }),
    },
  );
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}
