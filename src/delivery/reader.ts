import { looksOlder } from '../core/consent/believed-reading.ts';
import {
  changesOf,
  takenBackBy as keysTakenBackBy,
  type LastWords,
  lastWords,
  nothingTakenBack,
  type ReachOf,
  type TakenBack,
  takenBackIn,
} from '../core/consent/last-word.ts';
import { isAssumed, purposesOf } from '../core/consent/merge-set.ts';
import { has } from '../core/model/by-key.ts';
import type { Center } from '../core/model/center.ts';
import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import { Problem } from '../core/model/problem.ts';
import { type ReadRecord, recordOf, type Subject } from '../core/model/subject.ts';
import type { ShownForm } from '../core/model/submission-request.ts';
import type { Clock } from '../ports/clock.ts';
import type { Platform } from '../ports/platform.ts';
import type { Timer } from '../ports/timer.ts';
import { inTurns } from '../turn.ts';
import { readPriority } from './priority.ts';
import { lacksGranted } from './watch.ts';
import {
  isGranting,
  isWithdrawing,
  type Left,
  leftAfter,
  leftSince,
  sendableGrants,
  submittedUnseen,
  takenBackBy,
} from './work.ts';

export interface AttemptTools {
  readonly platform: Pick<Platform, 'findCenter' | 'readSubject' | 'updateConsent' | 'withdrawAll'>;
  readonly clock: Clock;
  readonly timer: Timer;
  /** The person submits so often that it can wait. */
  readonly isOften: () => boolean;
  /** Before another look. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /**
   * Makes the work durable; throws when the lease is lost, and then nothing more may be done. False, and nothing is
   * kept, when the person has submitted something after what was `seen`.
   */
  readonly keep: (work: Work, seen?: string) => Promise<boolean>;
  readonly readJournal: () => Promise<Known>;
  /** Whether the journal ever saw anything on the person's record in this center. */
  readonly wasOnRecord: () => Promise<boolean>;
  /** Milliseconds before each further look at a record that does not yet agree with its answer. */
  readonly readBackDelaysMs: readonly number[];
  /** Milliseconds before a record that shows nothing, or too little, is read once more. */
  readonly confirmAfter: number;
}

/** What the journal has of the person, in every center. */
export interface Known {
  /** Open or done of late, in the order of submission. */
  readonly recent: readonly JournalEntry[];
  /** After this one, open or done, newest first; of grants alone. */
  readonly later: readonly JournalEntry[];
}

/** Milliseconds that a withdrawal waits for a schema. */
const schemaPatience = 1_000;

/** Milliseconds for which a schema may have been kept by the platform's reader, and then by this one: ten seconds in all. */
const schemaFresh = 5_000;

/** Milliseconds that a schema may be old by which a purpose is missing: many may ask for the same one. */
const schemaForMissing = 30_000;

/** Readings in a row that may disagree before the record counts as unreadable, for now. */
const mostReadings = 6;

/** What is known of a person and a center while one of their submissions is carried out. */
export class Reader {
  readonly #tools: AttemptTools;
  readonly #entry: JournalEntry;
  readonly #work: () => Work;
  center: Center | undefined;
  /** When it was asked for. */
  #centerAt = 0;
  /** Why there is no schema; withdrawals go on without one. */
  schemaProblem: unknown;
  hasRead = false;
  /** A reading of this attempt showed something. */
  #wasOnRecord = false;
  /** The latest reading, until a call is made. */
  latest: ReadRecord | undefined;
  /** Until anything was waited for. */
  #known: Known | undefined;
  /** By another center: the purposes that leaving everything there reaches. */
  readonly #reach = new Map<string, ReadonlySet<string>>();
  /** What was said, by which entries and as which work. */
  #words: { readonly recent: Known['recent']; readonly work: Work; readonly said: LastWords } | undefined;

  constructor(entry: JournalEntry, tools: AttemptTools, work: () => Work) {
    this.#entry = entry;
    this.#tools = tools;
    this.#work = work;
  }

  /** Read anew after each pause, each call and each time that the work was kept: others go on meanwhile. */
  async known(): Promise<Known> {
    this.#known ??= await this.#tools.readJournal();
    return this.#known;
  }

  /** To be called after whatever takes time. */
  forget(): void {
    this.#known = undefined;
  }

  /** The newest submission of the person that is known, where something is granted that it might take back. */
  seen({ later }: Known): string | undefined {
    return isGranting(this.#work()) ? (later[0]?.reference ?? this.#entry.reference) : undefined;
  }

  /**
   * The one door for readings of the record: none is used that was not confirmed, and one that is older than what is
   * known is asked for again.
   */
  async readRecord(): Promise<Subject> {
    let current = await this.#readConfirmed(undefined);
    for (const pause of this.#tools.readBackDelaysMs) {
      if (!looksOlder(current, await this.#wordsToKeep(await this.known()), this.#tools.clock.now())) break;
      await this.#wait(pause);
      await this.#tools.keep({ ...this.#work() });
      current = await this.#readConfirmed(current);
    }
    return current;
  }

  /**
   * A reading that is empty, or that contradicts what is known, is read again until two in a row say the same: any one
   * of them may be wrong. After an empty one, one that contradicts nothing is enough. `earlier`: the last confirmed one.
   */
  async #readConfirmed(earlier: Subject | undefined): Promise<Subject> {
    let current = await this.#readOnce();
    if (!this.#isSurprising(current) || (earlier !== undefined && isSameReading(earlier, current))) {
      return current;
    }
    for (let readings = 1; readings < mostReadings; readings += 1) {
      if (this.#tools.confirmAfter > 0) await this.#wait(this.#tools.confirmAfter);
      const next = await this.#readOnce();
      const isEmpty = next.purposes.length === 0;
      if (isEmpty && current.purposes.length === 0) {
        if (!(await this.#mustBeOnRecord())) return next;
        throw new Problem('platform-unreadable', { cause: new Error('nothing on record of a known person') });
      }
      if (isSameReading(current, next)) return next;
      if (current.purposes.length === 0 && !this.#isSurprising(next)) return next;
      current = next;
    }
    throw new Problem('platform-unreadable', { cause: new Error('readings of one record disagree') });
  }

  async #readOnce(): Promise<Subject> {
    const { platform, clock } = this.#tools;
    const { request } = this.#work();
    const at = clock.now();
    const current = await platform.readSubject(request.center, request.subject, {
      priority: readPriority(this.#work(), this.#tools.isOften()),
    });
    this.hasRead = true;
    if (current.purposes.length > 0) this.#wasOnRecord = true;
    this.latest = { subject: current, at };
    this.forget();
    return current;
  }

  async #wait(milliseconds: number): Promise<void> {
    await this.#tools.wait(milliseconds);
    this.forget();
  }

  #isSurprising(current: Subject): boolean {
    const work = this.#work();
    const { form } = work.request;
    if (lacksGranted(work, current)) return true;
    return current.purposes.length === 0 || (form !== undefined && this.#contradicts(current, form));
  }

  /** Off what the form had on, or on what it had off: until a call is made here, that is old, or from elsewhere. */
  #contradicts(current: Subject, { onRecord, refused }: ShownForm): boolean {
    const mayDiffer = refused === undefined || this.#work().calls.length > 0;
    return onRecord.some((id) => {
      const status = recordOf(current, id)?.status;
      return status === undefined || (!mayDiffer && status === (has(refused, id) ? 'active' : 'off'));
    });
  }

  /** Not after everything was withdrawn, and nothing granted since: a platform may then have nothing any more. */
  async #mustBeOnRecord(): Promise<boolean> {
    const { request, before, calls, superseded } = this.#work();
    const isDeleted = calls.some(({ kind, answer }) => kind === 'delete' && answer !== undefined);
    if (isDeleted && superseded.length === 0) return false;
    const isKnown =
      this.#wasOnRecord || (request.form?.onRecord.length ?? 0) > 0 || (before?.purposes.length ?? 0) > 0;
    const wasWritten = calls.some(({ answer }) => answer?.items.some(({ accepted }) => accepted));
    return isKnown || wasWritten || this.#tools.wasOnRecord();
  }

  /** Read since the form was drawn, where something is to be granted; withdrawals go on without. */
  async readCenter(): Promise<void> {
    const { clock } = this.#tools;
    const { request } = this.#work();
    const isGrant = sendableGrants(this.#work()).length > 0;
    const now = clock.now();
    if (this.center !== undefined && (!isGrant || now - this.#centerAt < schemaFresh)) return;
    const age = request.form && now - request.form.at;
    const readWithin = isGrant && age !== undefined ? Math.min(age, schemaFresh) : undefined;
    await this.#findCenter(readWithin, { isWaitedFor: isGrant && !isWithdrawing(this.#work()) });
  }

  async #findCenter(
    readWithin: number | undefined,
    { isWaitedFor, isConfirmed = false }: { readonly isWaitedFor: boolean; readonly isConfirmed?: boolean },
  ): Promise<void> {
    const { platform, timer, clock } = this.#tools;
    const now = clock.now();
    try {
      const finding = platform.findCenter(this.#work().request.center, { readWithin, isConfirmed });
      const found = await (isWaitedFor ? finding : within(schemaPatience, finding, timer));
      if (found === undefined) throw new Problem('not-found');
      this.center = found;
      this.#centerAt = now;
      this.schemaProblem = undefined;
    } catch (problem) {
      if (isWaitedFor) throw problem;
      this.center = undefined;
      this.schemaProblem = problem;
    } finally {
      this.forget();
    }
  }

  /**
   * What is not on record, and not in the center or not on by default there, may be so since: it counts as missing, or as
   * off, only by a schema that was read after it was asked for, or a moment before, and by two readings that say the same.
   */
  async confirmMissing(current: Subject): Promise<void> {
    const { center } = this;
    const missing = takenBackBy(this.#work()).filter(({ kind, purpose }) => {
      return kind === 'off' && recordOf(current, purpose) === undefined;
    });
    if (center === undefined || missing.length === 0) return;
    const known = purposesOf(center);
    if (missing.every(({ purpose }) => isAssumed(known.get(purpose)))) return;
    const age = this.#tools.clock.now() - this.#entry.submittedAt;
    await this.#findCenter(Math.max(schemaForMissing, age), { isWaitedFor: false, isConfirmed: true });
  }

  lacksSchema(): boolean {
    return this.center === undefined && this.schemaProblem !== undefined;
  }

  async words({ recent }: Known): Promise<LastWords> {
    const work = this.#work();
    if (this.#words?.recent === recent && this.#words.work === work) return this.#words.said;
    const { reference, center } = this.#entry;
    const entries = recent.map((entry) => (entry.reference === reference ? { ...entry, work } : entry));
    const about = { reference, center, now: this.#tools.clock.now() };
    const said = await inTurns(lastWords(entries, about));
    this.#words = { recent, work, said };
    return said;
  }

  /** Without what this very submission takes back, which no reading needs to show any more. */
  async #wordsToKeep(known: Known): Promise<LastWords> {
    const words = await this.words(known);
    const { intent } = this.#work().request;
    if (intent.everything === 'withdraw') return { ...words, granted: new Map(), leftElsewhere: new Map() };
    const granted = new Map(words.granted);
    const leftElsewhere = new Map(words.leftElsewhere);
    const takenBack = new Set(words.takenBack);
    for (const change of changesOf(this.#work())) {
      for (const key of keysTakenBackBy(change)) takenBack.add(key);
      // After a call of its own other choices may stand there.
      if (change.kind === 'off' || this.#work().calls.length > 0) granted.delete(change.purpose);
      if (change.kind !== 'off') continue;
      leftElsewhere.delete(change.purpose);
    }
    return { ...words, granted, leftElsewhere, takenBack };
  }

  /** What was taken back that the form knew nothing of. */
  async unseen({ recent }: Known): Promise<TakenBack> {
    const work = this.#work();
    if (sendableGrants(work).length === 0) return nothingTakenBack;
    const unseen = submittedUnseen(recent, { reference: this.#entry.reference, work });
    return takenBackIn(unseen, await this.#reachOf(unseen));
  }

  /** What was taken back by later submissions. */
  async takenBackSince({ recent }: Known): Promise<TakenBack> {
    const at = recent.findIndex(({ reference }) => reference === this.#entry.reference);
    const later = at === -1 ? [] : recent.slice(at + 1);
    return takenBackIn(later, await this.#reachOf(later));
  }

  /** One center offers what another does not; where its schema does not come, anything may be in it. */
  async #reachOf(entries: readonly JournalEntry[]): Promise<ReachOf> {
    const { platform, timer } = this.#tools;
    for (const { center, work } of entries) {
      if (work?.request.intent.everything !== 'withdraw') continue;
      if (center === this.#entry.center || this.#reach.has(center)) continue;
      const found = await within(schemaPatience, platform.findCenter(center), timer).catch(() => undefined);
      if (found !== undefined) this.#reach.set(center, new Set(purposesOf(found).keys()));
    }
    return (center) => this.#reach.get(center);
  }

  /** What later submissions switch off. */
  async left({ recent, later }: Known): Promise<Left> {
    const open = leftAfter(recent, this.#entry);
    const since = leftSince(later, await this.#reachOf(later));
    return open === 'all' || since === 'all' ? 'all' : new Set([...open, ...since]);
  }
}

/** The same purposes, each with the same status. */
function isSameReading(one: Subject, other: Subject): boolean {
  const marks = ({ purposes }: Subject) =>
    new Set(purposes.map(({ purpose, status }) => `${purpose} ${status}`));
  const [ones, others] = [marks(one), marks(other)];
  return ones.size === others.size && ones.isSubsetOf(others);
}

function within<T>(milliseconds: number, finding: Promise<T>, timer: Timer): Promise<T> {
  const late = Promise.withResolvers<T>();
  const cancel = timer.after(milliseconds, () => {
    late.reject(new Problem('platform-slow', { cause: new Error('no schema in time') }));
  });
  return Promise.race([finding, late.promise]).finally(cancel);
}
