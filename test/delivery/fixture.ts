import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Center } from '../../src/core/model/center.ts';
import { type Intent, noIntent, type PurposeChange } from '../../src/core/model/intent.ts';
import { readSubjectId, type Subject, type SubjectId } from '../../src/core/model/subject.ts';
import type { SubmissionRequest } from '../../src/core/model/submission-request.ts';
import { createDelivery, type DeliveryOptions, type RunningDelivery } from '../../src/delivery/delivery.ts';
import type { EventRoutes } from '../../src/ports/event-routes.ts';
import type { Events } from '../../src/ports/events.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openEvents } from '../../src/store/sqlite/events.ts';
import { openJournal } from '../../src/store/sqlite/journal.ts';
import { aCenter, aPurpose } from '../core/center-builder.ts';
import { FakeTime } from './fake-time.ts';
import { ScriptedPlatform } from './scripted-platform.ts';
import { strictLog } from './strict-log.ts';

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
  close(): Promise<void>;
}

/** The real delivery on the real journal, against a scripted platform and a clock that is told. */
export function openFixture(
  options: {
    center?: Center;
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
  let made = 0;
  const random = { id: () => `id-${++made}-${Math.floor(time.now())}` };

  function open(): Fixture {
    const seal = createSeal(['a secret of at least thirty-two bytes']);
    const journal = openJournal({ file, seal, routes: options.routes });
    const events = openEvents({ file, seal, clock: time });
    const parts = {
      platform,
      journal,
      clock: time,
      timer: time,
      random,
      log: strictLog,
      jitter: () => 0.5,
      confirmAfter: 0,
    };
    const delivery = createDelivery({ ...parts, ...options, platform });
    return {
      time,
      platform,
      journal,
      events,
      delivery,
      restart() {
        void events.close();
        void journal.close();
        return open();
      },
      async close() {
        await events.close();
        await journal.close();
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  return open();
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
    ...change,
  };
}

export function on(purpose: string, topics: readonly string[] = []): PurposeChange {
  return { kind: 'on', purpose, topics, topicsOff: [], options: [], optionsOff: [] };
}

export function off(purpose: string): PurposeChange {
  return { kind: 'off', purpose };
}

export function intentOf(...purposes: PurposeChange[]): Intent {
  return { ...noIntent, purposes };
}

export const leaveAll: Intent = { ...noIntent, everything: 'withdraw' };

export function aSubject(change: Partial<Subject> = {}): Subject {
  return { id: anna, language: 'en-us', purposes: [], dataElements: {}, ...change };
}

/** `a:saved b:not-saved` */
export function outcomes(
  submission: { items: readonly { id: string; outcome: string }[] } | undefined,
): string {
  return (submission?.items ?? []).map((item) => `${item.id}:${item.outcome}`).join(' ');
}
