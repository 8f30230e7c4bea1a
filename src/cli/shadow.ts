import { hash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { withTenant } from '../compose/tenant.ts';
import type { Config } from '../config/environment.ts';
import { type Center, everyPurpose } from '../core/model/center/center.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';
import { lookAsPerson } from '../features/shadow/look.ts';
import { addLook, countsOf, isWell, reportHtml } from '../features/shadow/report.ts';
import { freshState, readState, type ShadowState as State } from '../features/shadow/state.ts';
import { chooseText } from '../i18n/language.ts';
import type { HttpPlatform } from '../upstream/platform.ts';
import { peopleIn } from './csv-rows.ts';
import { type Print, print, readable } from './streams.ts';
import { type Values, WrongArgument } from './usage.ts';

/**
 * Reports what real people would see, by reading alone. The exit code is 1 if a rule is broken or a record
 * could not be read.
 */
export async function shadow(config: Config, values: Values<'shadow'>): Promise<void> {
  if (values.people === undefined)
    throw new WrongArgument('say which people: --people people.csv, or - for stdin');
  const share = Number(values.share);
  if (!(share > 0 && share <= 100))
    throw new WrongArgument('--share must be a number from 1 to 100, per cent of the quota');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const parts = { people: readable(values.people), share, print, stop: stopping.signal };
  const isFine = await shadowTenant(config, { ...values, ...parts });
  if (!isFine) process.exitCode = 1;
}

/**
 * `out` is the folder of the report and of the state that a later run continues. `personal` also writes what
 * each person would see, with the identifier.
 */
export interface ShadowOptions extends Pick<Values<'shadow'>, 'out' | 'personal'> {
  readonly people: AsyncIterable<Uint8Array>;
  /** Per cent of the quota. */
  readonly share: number;
  readonly print: Print;
  /** Stops after the current person. */
  readonly stop: AbortSignal;
}

/** The state is written after this many people. */
const stride = 25;
const mostTries = 20;
/** The quota that is assumed if none is known. */
const unknownQuota = { perMinute: 1_000, perHour: 50_000 };

/**
 * Reports what people would see and what each click would send, in every center. It only reads. It continues
 * a run that was stopped in the same folder. Resolves to true if no rule is broken and every record could be
 * read.
 */
export function shadowTenant(config: Config, options: ShadowOptions): Promise<boolean> {
  const { out, print, personal, share } = options;
  return withTenant(config, async (platform) => {
    mkdirSync(out, { recursive: true, mode: 0o700 });
    const centers = await readCenters(config, platform, print).catch((fault: unknown) => {
      if (!(fault instanceof Problem)) throw fault;
      throw new Error(`the centers cannot be read (${fault.code}): npm run check says more`);
    });
    const revisions = centers.map(({ id, revision }) => [id, revision]);
    const key = hash('sha256', JSON.stringify([personal, revisions]), 'base64url');
    const state = openState(out, key);
    if (state.line > 0) print(`goes on behind line ${state.line}`);
    const pace = createPace(config.quota ?? unknownQuota, share / 100);
    const run = { ...options, config, platform, centers, state, pace };
    const isDone = await readPeople(run);
    writeReport(out, centers, state);
    const words = isDone ? 'done' : 'stopped, and goes on when it is started again';
    print(`${state.line} lines, ${state.calls} calls: ${words}. The report is ${join(out, 'shadow.html')}`);
    return isWell(state.counts);
  });
}

interface Run extends ShadowOptions {
  readonly config: Config;
  readonly platform: HttpPlatform;
  readonly centers: readonly Center[];
  readonly state: State;
  readonly pace: ReturnType<typeof createPace>;
}

/** Resolves to false if the run was stopped. */
async function readPeople(run: Run): Promise<boolean> {
  const { state, stop, out, print } = run;
  const started = performance.now();
  const before = state.seconds;
  let sinceKept = 0;
  const keep = () => {
    state.seconds = before + Math.round((performance.now() - started) / 1000);
    keepState(out, state);
    sinceKept = 0;
  };
  try {
    for await (const { line, subject } of peopleIn(run.people, run.config.identifiers)) {
      if (line <= state.line) continue;
      stop.throwIfAborted();
      if (subject === undefined) print(`line ${line} is left out: it has no identifier that can be used`);
      else await lookAt(run, subject, line);
      state.line = line;
      sinceKept += 1;
      if (sinceKept >= stride) keep();
    }
    return true;
  } catch (fault) {
    if (!stop.aborted) throw fault;
    return false;
  } finally {
    keep();
  }
}

/**
 * Looks at one person in every center. Throws if the run is stopped meanwhile: this person is then not
 * counted.
 */
async function lookAt(run: Run, subject: SubjectId, line: number): Promise<void> {
  const { state, centers, out } = run;
  const read = [];
  for (const center of centers) read.push({ center, record: await readRecord(run, center, subject) });
  const looks = [];
  for (const { center, record } of read) {
    const counts = countsOf(state.counts, center.id);
    counts.people += 1;
    if (typeof record === 'string') {
      counts.unread[record] = (counts.unread[record] ?? 0) + 1;
      continue;
    }
    if (record.purposes.length === 0) counts.unknown += 1;
    const look = lookAsPerson(center, record, systemClock.now());
    addLook(counts, look, line);
    looks.push({ center: center.id, ...look });
  }
  if (!run.personal) return;
  const text = `${JSON.stringify({ line, identifier: subject, centers: looks })}\n`;
  appendFileSync(join(out, 'people.jsonl'), text, { mode: 0o600 });
  state.personalBytes += Buffer.byteLength(text);
}

const temporary = ['platform-busy', 'quota-used-up', 'platform-slow', 'platform-unreachable'];

/** Returns the record, or a text that says why there is none. Temporary faults are tried again. */
async function readRecord({ platform, pace, stop, state }: Run, center: Center, subject: SubjectId) {
  for (let tries = 1; ; tries += 1) {
    try {
      await pace(stop);
      state.calls += 1;
      return await platform.readSubject(center.id, subject, { priority: 'background' });
    } catch (fault) {
      if (stop.aborted || !(fault instanceof Problem)) throw fault;
      if (fault.code === 'platform-denied')
        throw new Error('the platform refuses: its scopes must include CONSENT');
      if (!temporary.includes(fault.code) || tries >= mostTries) return fault.code;
      const seconds = fault.retryAfter ?? Math.min(60, 2 ** tries);
      await pause(seconds * 1_000, undefined, { signal: stop });
    }
  }
}

/** Spaces the calls so that they use no more than the share of the quota of a minute and of an hour. */
function createPace({ perMinute, perHour }: typeof unknownQuota, share: number) {
  const apart = Math.max(60_000 / (perMinute * share), 3_600_000 / (perHour * share));
  let next = 0;
  return async (signal: AbortSignal): Promise<void> => {
    const now = performance.now();
    const at = Math.max(now, next);
    next = at + apart;
    if (at > now) await pause(at - now, undefined, { signal });
  };
}

/**
 * Every center of the centers file must exist. A center of the platform's list may be a draft, which is
 * skipped.
 */
async function readCenters(config: Config, platform: HttpPlatform, print: Print): Promise<readonly Center[]> {
  const ids =
    config.centers?.map(({ center }) => center) ?? (await platform.listCenters()).map(({ id }) => id);
  const found = await Promise.all(ids.map((id) => platform.findCenter(id)));
  const missing = ids.filter((_, index) => found[index] === undefined);
  if (missing.length > 0 && config.centers !== undefined)
    throw new Error(`the platform knows no center ${missing.join(', ')}`);
  for (const id of missing) print(`center ${id} is left out: it has no schema that is published`);
  return found.filter((center) => center !== undefined);
}

const stateFile = 'shadow-state.json';

function openState(out: string, key: string): State {
  const personal = join(out, 'people.jsonl');
  const file = join(out, stateFile);
  const kept = existsSync(file) ? readState(readFileSync(file, 'utf8')) : undefined;
  if (kept !== undefined && kept.key !== key)
    throw new Error(`${out} holds a run with other options or other schemas: name another folder with --out`);
  const state = kept ?? freshState(key);
  // Lines that were written after the last kept state are dropped: their people are read again.
  if (existsSync(personal)) truncateSync(personal, state.personalBytes);
  return state;
}

/** Replaces the file in one step. */
function keepState(out: string, state: State): void {
  const next = join(out, `${stateFile}.new`);
  writeFileSync(next, JSON.stringify(state), { mode: 0o600 });
  renameSync(next, join(out, stateFile));
}

function writeReport(out: string, centers: readonly Center[], state: State): void {
  const names: Record<string, string> = {};
  for (const center of centers) {
    names[center.id] = center.title ?? center.id;
    for (const { id, name } of everyPurpose(center))
      names[id] = chooseText(name, center.defaultLanguage, center.defaultLanguage)?.text ?? id;
  }
  const { line, calls, seconds, counts } = state;
  const head = { made: new Date(systemClock.now()).toISOString(), lines: line, seconds, calls, names };
  writeFileSync(join(out, 'shadow.json'), `${JSON.stringify({ ...head, centers: counts }, undefined, 2)}\n`);
  writeFileSync(join(out, 'shadow.html'), reportHtml(head, counts));
}
