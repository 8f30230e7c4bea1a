/**
 * Drives Firefox by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). Playwright 1.65 cannot: it uses
 * BiDi for a Firefox that it has not patched itself, with commands that Debian's Firefox does not know yet.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { times } from '../chaos/dice.ts';
import { longestWait } from './browser.ts';
import { siteNames } from './framed.ts';

const path = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';

/** The reason why Firefox is missing, or false. */
export const skip: string | false = findSkip();

export interface Firefox {
  /** Opens a window of a new visitor, without cookies and storage. */
  open(locale: string, size?: Size): Promise<Window>;
  /** Closes the windows; the process stays for other files. */
  close(): Promise<void>;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Window {
  goto(address: string): Promise<void>;
  /** Clicks with the real pointer: an element that covers the target gets the click. */
  click(selector: string): Promise<void>;
  /** Clicks, and waits for the next page. */
  follow(selector: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Evaluates an expression, even with scripts off; the value is a string, number or boolean. */
  read(expression: string): Promise<unknown>;
  until(expression: string): Promise<void>;
  /** Enters the frame of the page; later calls act in the frame. */
  enterFrame(): Promise<void>;
  /** Returns to the page around the frame. */
  leaveFrame(): void;
  /** Lists the headers of each POST so far; names are in lower case. */
  posts(): readonly Readonly<Record<string, string>>[];
  /** Lists the Referer headers of all requests. */
  referrers(): readonly string[];
}

/** Settings that stop Firefox's own network requests and save CPU. */
const settings: Readonly<Record<string, boolean | number | string>> = {
  // A process for each site takes as long to start as the page takes to load.
  ...times({ 'fission.autostart': false, 'dom.ipc.processCount': 1 }, {}),
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.ipc.processPrelaunch.enabled': false,
  'extensions.enabledScopes': 0,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  // Clicks use the scroll position of the page, because the compositor may be behind.
  'remote.events.async.mouse.enabled': false,
  'toolkit.telemetry.enabled': false,
  'ui.prefersReducedMotion': 1,
};

/** One process each with and without scripts for all files: a start takes as long as a file of tests. */
const running = new Map<boolean, Promise<Running>>();

interface Running {
  readonly session: Session;
  end(): Promise<void>;
}

export async function openFirefox({ script }: { readonly script: boolean }): Promise<Firefox> {
  const started = running.get(script) ?? startFirefox(script);
  running.set(script, started);
  const { session } = await started;
  const people: string[] = [];
  return {
    async open(locale, viewport = { width: 1280, height: 900 }) {
      const { userContext } = await session.send('browser.createUserContext');
      people.push(userContext);
      return openWindow(session, script, { userContext, locale, viewport });
    },
    async close() {
      for (const userContext of people) await session.send('browser.removeUserContext', { userContext });
    },
  };
}

/** Ends Firefox, at the end of the test process. */
export async function endFirefox(): Promise<void> {
  for (const started of running.values()) await (await started).end();
}

async function startFirefox(script: boolean): Promise<Running> {
  const profile = mkdtempSync(join(tmpdir(), 'sayso-firefox-'));
  // Tests invent names of sites; their certificates are accepted unchecked.
  const ownSettings = { 'javascript.enabled': script, 'network.dns.localDomains': siteNames.join() };
  const lines = Object.entries({ ...settings, ...ownSettings }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const child = spawn(
    path,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } },
  );
  const kill = () => void child.kill('SIGKILL');
  process.on('exit', kill);
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    process.off('exit', kill);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const session = await connect(await addressOf(child));
    await session.send('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
    const events = ['network.beforeRequestSent', 'browsingContext.load'];
    await session.send('session.subscribe', { events });
    return {
      session,
      async end() {
        await session.send('browser.close');
        await end();
      },
    };
  } catch (fault) {
    kill();
    await end();
    throw fault;
  }
}

async function openWindow(
  { send, seen }: Session,
  script: boolean,
  {
    userContext,
    locale,
    viewport,
  }: { readonly userContext: string; readonly locale: string; readonly viewport: Size },
): Promise<Window> {
  await send('emulation.setLocaleOverride', { locale, userContexts: [userContext] });
  const { context: top } = await send('browsingContext.create', { type: 'tab', userContext });
  await send('browsingContext.setViewport', { context: top, viewport });
  const contexts = new Set<string>([top]);
  let context: string = top;

  const window: Window = {
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async click(selector) {
      await window.until(`document.querySelector(${JSON.stringify(selector)})?.checkVisibility() === true`);
      const { nodes } = await send('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: selector },
        maxNodeCount: 1,
      });
      const element = { sharedId: nodes[0]?.sharedId };
      const pointer = { type: 'pointer', id: 'mouse' };
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await waitUntil(async () => {
        if (!(await isAtRest(element))) return false;
        await call(countClicks, element);
        // Earlier typing may scroll the page back to its field.
        const click = send('input.performActions', { context, actions: [{ ...pointer, actions }] });
        if (!(await click.then(() => true).catch(unlessOutOfSight))) return false;
        // On a busy machine the frame may grow before the click, which then hits a neighbour.
        return !script || (await window.read('globalThis.clicks').catch(() => undefined)) !== 0;
      }, `${selector} can be clicked`);
    },
    async follow(selector) {
      const before = seen.length;
      await window.click(selector);
      const loaded = () =>
        seen
          .slice(before)
          .some(({ method, params }) => method === 'browsingContext.load' && params.context === context);
      await waitUntil(loaded, `${selector} leads to a page`);
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] });
    },
    async read(expression) {
      const target = { context, sandbox: 'test' };
      const answer = await send('script.evaluate', { expression, target, awaitPromise: false });
      assert.equal(answer.type, 'success', JSON.stringify(answer.exceptionDetails?.text));
      return answer.result.value;
    },
    async until(expression) {
      // A page may disappear during the evaluation.
      const holds = async () => (await window.read(expression).catch(() => false)) === true;
      await waitUntil(holds, expression).catch(async (fault: Error) => {
        fault.message += `\n${await window.read('location.pathname + "\\n" + document.body.innerText')}`;
        throw fault;
      });
    },
    async enterFrame() {
      await waitUntil(async () => {
        const { contexts: tree } = await send('browsingContext.getTree', { root: top });
        const child = tree[0]?.children[0]?.context;
        if (child === undefined) return false;
        contexts.add(child);
        context = child;
        return true;
      }, 'the page has a frame');
    },
    leaveFrame() {
      context = top;
    },
    posts: () =>
      requests()
        .filter(({ method }) => method === 'POST')
        .map(headersOf),
    referrers: () => requests().flatMap((request) => headersOf(request)['referer'] ?? []),
  };
  return window;

  /** Whether the element is visible and has not moved for a moment; a frame grows after it is loaded. */
  async function isAtRest(element: Answer): Promise<boolean> {
    const first = await call(placeOf, element);
    for (let look = 0; look < 4; look += 1) {
      await pause(40);
      if ((await call(placeOf, element)) !== first) return false;
    }
    return first !== undefined;
  }

  async function call(functionDeclaration: string, element: Answer): Promise<unknown> {
    const target = { context, sandbox: 'test' };
    const asked = { functionDeclaration, arguments: [element], target, awaitPromise: false };
    return (await send('script.callFunction', asked)).result?.value;
  }

  function requests() {
    const sent = seen.filter(({ method }) => method === 'network.beforeRequestSent');
    return sent.filter(({ params }) => contexts.has(params.context)).map(({ params }) => params.request);
  }
}

/** Code for the page: returns the place of an element; undefined while loading, or when it is covered. */
const placeOf = `(element) => {
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(x + width / 2, y + height / 2);
  const isUncovered = hit !== null && (element.contains(hit) || hit.contains(element));
  if (!isUncovered || document.readyState !== 'complete') return undefined;
  return [x, y, width, height, innerWidth, innerHeight].join(' ');
}`;

/** Code for the page: counts the clicks of an element. A new document has no count. */
const countClicks = `(element) => {
  globalThis.clicks = 0;
  element.addEventListener('click', () => (globalThis.clicks += 1), { capture: true, once: true });
}`;

function headersOf(request: Answer): Record<string, string> {
  const headers: { name: string; value: { value: string } }[] = request.headers;
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value.value]));
}

function unlessOutOfSight(fault: Error): false {
  if (fault.message.includes('move target out of bounds')) return false;
  throw fault;
}

async function waitUntil(holds: () => boolean | Promise<boolean>, condition: string): Promise<void> {
  for (const last = Date.now() + longestWait; Date.now() < last; await pause(20)) if (await holds()) return;
  throw new Error(`Firefox: not within ${longestWait / 1000} s: ${condition}`);
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of Firefox have a shape for each command.
type Answer = any;

interface Session {
  send(method: string, params?: object): Promise<Answer>;
  /** All events so far. */
  readonly seen: readonly { readonly method: string; readonly params: Answer }[];
}

/** Reads the address of Firefox's BiDi server from its output. */
async function addressOf(child: ChildProcess): Promise<string> {
  assert.ok(child.stderr);
  const late = setTimeout(() => child.kill('SIGKILL'), longestWait);
  try {
    for await (const line of createInterface(child.stderr)) {
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (address !== undefined) return address;
    }
  } finally {
    clearTimeout(late);
    child.stderr.resume();
  }
  throw new Error('Firefox ended before it listened');
}

async function connect(address: string): Promise<Session> {
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  const seen: { method: string; params: Answer }[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.type === 'event') return void seen.push(message);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'success') asked?.resolve(message.result);
    else asked?.reject(new Error(`Firefox: ${message.error}: ${message.message}`));
  });
  socket.addEventListener('close', () => {
    for (const asked of waiting.values()) asked.reject(new Error('Firefox has gone'));
  });
  let last = 0;
  return {
    seen,
    send(method, params = {}) {
      const asked = Promise.withResolvers<Answer>();
      last += 1;
      waiting.set(last, asked);
      socket.send(JSON.stringify({ id: last, method, params }));
      return asked.promise;
    },
  };
}

function findSkip(): string | false {
  if (existsSync(path)) return false;
  const why = `no Firefox at ${path}: install it (Debian: firefox-esr), or set FIREFOX to its path`;
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`\n*** NOT TESTED: ${why} ***\n\n`);
  return why;
}
