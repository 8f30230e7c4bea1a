import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { usualLimits } from '../../src/core/consent/desired-state.ts';
import type { Center } from '../../src/core/model/center/center.ts';
import {
  type ConsentRecord,
  readSubjectId,
  type Subject,
  type SubjectId,
} from '../../src/core/model/person/subject.ts';
import { noIntent, type PurposeChange } from '../../src/core/model/submission/intent.ts';
import type { SubmissionRequest } from '../../src/core/model/submission/submission-request.ts';
import { createDelivery, type DeliveryOptions, type RunningDelivery } from '../../src/delivery/delivery.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { EventRoutes, Events } from '../../src/ports/events.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { openEvents } from '../../src/store/events.ts';
import { embeddedFiles } from '../../src/store/layouts.ts';
import { openPeople } from '../../src/store/people.ts';
import { createSeal } from '../../src/store/seal.ts';
import { aCenter, aPurpose } from '../core/center-builder.ts';
import { intentOf } from '../core/changes.ts';
import { FakeTime } from './fake-time.ts';
import { ScriptedPlatform } from './scripted-platform.ts';
import { strictLog } from './strict-log.ts';

export { intentOf, leaveAll, off, on } from '../core/changes.ts';

export const anna = readSubjectId('anna@example.org') as SubjectId;
export const ben = readSubjectId('ben@example.org') as SubjectId;

export interface Fixture {
  readonly time: FakeTime;
  readonly platform: ScriptedPlatform;
  readonly journal: Journal;
  readonly events: Events;
  readonly delivery: RunningDelivery;
  /** Forgets the running delivery as a crash would, and starts another on the same file. */
  restart(): Fixture;
  /** Another process on the same store, which is closed with this one. */
  beside(change?: (people: Journal) => Partial<Journal>): RunningDelivery;
  close(): Promise<void>;
  /** Ends the delivery, too. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The real delivery on the real journal, against a scripted platform and a clock that is told. */
export function openFixture(
  options: {
    center?: Center;
    /** What Anna has on record. */
    purposes?: readonly ConsentRecord[];
    subjects?: readonly Subject[];
    file?: string;
    routes?: EventRoutes;
  } & Partial<DeliveryOptions> = {},
): Fixture {
  const folder = options.file === undefined ? mkdtempSync(join(tmpdir(), 'sayso-')) : undefined;
  const file = options.file ?? join(folder ?? '', 'journal.db');
  const time = new FakeTime();
  const platform = new ScriptedPlatform(
    options.center ?? aCenter([aPurpose('a'), aPurpose('b'), aPurpose('c')]),
  );
  for (const subject of options.subjects ?? []) platform.put(subject);
  if (options.purposes !== undefined) platform.put(aSubject({ purposes: options.purposes }));
  let made = 0;
  const random = { id: () => `id-${++made}-${Math.floor(time.now())}` };

  function open(): Fixture {
    const { journal, events, close } = openStores({ file, clock: time, routes: options.routes });
    const parts = {
      platform,
      people: journal,
      clock: time,
      timer: time,
      random,
      log: strictLog,
      jitter: () => 0.5,
      limits: { ...usualLimits, confirmAfter: 0 },
    };
    const delivery = createDelivery({ ...parts, ...options, platform });
    return {
      time,
      platform,
      journal,
      events,
      delivery,
      restart() {
        void close();
        return open();
      },
      beside(change = () => ({})) {
        const people = { ...journal, ...change(journal) };
        const others = { id: () => `other-${++made}-${Math.floor(time.now())}` };
        return createDelivery({ ...parts, ...options, platform, people, random: others });
      },
      async [Symbol.asyncDispose]() {
        await delivery.stop();
        await this.close();
      },
      async close() {
        await close();
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  return open();
}

const seal = createSeal(['a secret of at least thirty-two bytes']);

export interface Stores {
  readonly journal: Journal;
  readonly events: Events;
  readonly close: () => Promise<void>;
}

/** The stores of one process. */
export function openStores({
  file,
  clock,
  routes = () => undefined,
}: {
  readonly file: string;
  readonly clock: Clock;
  readonly routes?: EventRoutes | undefined;
}): Stores {
  const sql = openSqlite({ file, layout: embeddedFiles('')[0].layout, clock });
  const ready = openEvents({ sql, seal, routes }).then(({ events, newsWrites }) => {
    return { events, journal: openPeople({ sql, seal, random: { id: randomUUID }, newsWrites }) };
  });
  const journal = onceReady<Journal>(
    ready.then((stores) => stores.journal),
    journalMethods,
  );
  const events = onceReady<Events>(
    ready.then((stores) => stores.events),
    eventMethods,
  );
  const close = async () => {
    const stores = await ready;
    await stores.journal.close();
    await sql.close();
  };
  return { journal, events, close };
}

const journalMethods = [
  ...['record', 'find', 'findOwn', 'historyOf', 'historySize', 'personOf', 'claim', 'submissionsOf', 'keep'],
  ...['postpone', 'makeDue', 'wake', 'retry', 'resume', 'nextDueAt', 'finishedOf', 'list', 'counts', 'sweep'],
  ...['waitingWithdrawals', 'failedSince', 'close'],
];
const eventMethods = ['page', 'stopped', 'stopsOf', 'mayUse', 'sweep', 'close'];

/** The store opens by itself; a fixture does not wait for it. */
function onceReady<Store extends object>(ready: Promise<Store>, methods: readonly string[]): Store {
  const made = Object.fromEntries(
    methods.map((name) => [
      name,
      async (...given: unknown[]) => {
        const store = await ready;
        return (Reflect.get(store, name) as (...all: unknown[]) => unknown)(...given);
      },
    ]),
  );
  const onNews = (listener: (news: never) => void) => {
    let isOver = false;
    let end: () => void = () => undefined;
    void ready.then((store) => {
      const listen = Reflect.get(store, 'onNews') as ((each: typeof listener) => () => void) | undefined;
      if (!isOver && listen !== undefined) end = listen(listener);
    });
    return () => {
      isOver = true;
      end();
    };
  };
  return { ...made, onNews } as unknown as Store;
}

let orders = 0;

export function aRequest(change: Partial<SubmissionRequest> = {}): SubmissionRequest {
  orders += 1;
  return {
    nonce: `nonce-${orders}`,
    center: 'center',
    subject: anna,
    intent: noIntent,
    channel: 'link',
    scope: 'manage',
    globalPrivacyControl: false,
    undoes: undefined,
    reasons: [],
    onBehalf: undefined,
    form: undefined,
    ...change,
  };
}

export function asking(...purposes: PurposeChange[]): SubmissionRequest {
  return aRequest({ intent: intentOf(...purposes) });
}

export function aSubject(change: Partial<Subject> = {}): Subject {
  return { id: anna, language: 'en-us', purposes: [], dataElements: {}, ...change };
}

/** `a:saved b:not-saved` */
export function outcomes(
  submission: { items: readonly { id: string; outcome: string }[] } | undefined,
): string {
  return (submission?.items ?? []).map((item) => `${item.id}:${item.outcome}`).join(' ');
}
