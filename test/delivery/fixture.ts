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
  /** Starts another delivery on the same file and leaves the running one like a crash would. */
  restart(): Promise<Fixture>;
  /** Starts another process on the same store; the fixture closes both. */
  beside(change?: (people: Journal) => Partial<Journal>): RunningDelivery;
  close(): Promise<void>;
  /** Ends the delivery and closes the store. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens the real delivery on the real journal, with a scripted platform and a clock that tests advance. */
export function openFixture(
  options: {
    center?: Center;
    /** The purposes that Anna has on record. */
    purposes?: readonly ConsentRecord[];
    subjects?: readonly Subject[];
    routes?: EventRoutes;
  } & Partial<DeliveryOptions> = {},
): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-'));
  const file = join(folder, 'journal.db');
  const time = new FakeTime();
  const platform = new ScriptedPlatform(
    options.center ?? aCenter([aPurpose('a'), aPurpose('b'), aPurpose('c')]),
  );
  for (const subject of options.subjects ?? []) platform.put(subject);
  if (options.purposes !== undefined) platform.put(aSubject({ purposes: options.purposes }));
  let made = 0;
  const random = { id: () => `id-${++made}-${Math.floor(time.now())}` };

  async function open(): Promise<Fixture> {
    const { journal, events, close } = await openStores({ file, clock: time, routes: options.routes });
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
    const fixture: Fixture = {
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
        await fixture.close();
      },
      async close() {
        await close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
    return fixture;
  }
  return open();
}

const seal = createSeal(['a secret of at least thirty-two bytes']);

/** Opens the stores of one process. */
export async function openStores({
  file,
  clock,
  routes = () => undefined,
}: {
  readonly file: string;
  readonly clock: Clock;
  readonly routes?: EventRoutes | undefined;
}) {
  const sql = openSqlite({ file, layout: embeddedFiles('')[0].layout, clock });
  const { events, newsWrites } = await openEvents({ sql, seal, routes });
  const journal = openPeople({ sql, seal, random: { id: randomUUID }, newsWrites });
  const close = async () => {
    await journal.close();
    await sql.close();
  };
  return { journal, events, close };
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

/** The outcomes of a submission in the form `a:saved b:not-saved`. */
export function outcomes(
  submission: { items: readonly { id: string; outcome: string }[] } | undefined,
): string {
  return (submission?.items ?? []).map((item) => `${item.id}:${item.outcome}`).join(' ');
}
