import { randomUUID } from 'node:crypto';
import type { Subject } from '../../src/core/model/person/subject.ts';
import type { ConsentAnswer } from '../../src/core/model/submission/consent-update.ts';
import type { SubmissionRequest } from '../../src/core/model/submission/submission-request.ts';
import { createDelivery } from '../../src/delivery/delivery.ts';
import { openStores } from './fixture.ts';
import { killCenter, speed } from './kill-setting.ts';
import { strictLog } from './strict-log.ts';

/** The real delivery and journal in a process of their own; the platform is the parent, asked by messages. */
const [file = ''] = process.argv.slice(2);
const clock = { now: () => Math.floor((performance.timeOrigin + performance.now()) * speed) };
const answers = new Map<number, (answer: unknown) => void>();
let asked = 0;

function ask(kind: string, subject: string, update?: unknown): Promise<unknown> {
  asked += 1;
  const id = asked;
  process.send?.({ kind, id, subject, update, at: clock.now() });
  return new Promise((resolve) => answers.set(id, resolve));
}

const delivery = createDelivery({
  people: openStores({ file, clock }).journal,
  clock,
  timer: {
    after(milliseconds, run) {
      const handle = setTimeout(run, milliseconds / speed);
      return () => clearTimeout(handle);
    },
  },
  random: { id: () => randomUUID() },
  log: strictLog,
  platform: {
    findCenter: async () => killCenter,
    readSubject: (_center, subject) => ask('read', subject) as Promise<Subject>,
    updateConsent: (_center, subject, update) => ask('put', subject, update) as Promise<ConsentAnswer>,
    withdrawAll: (_center, subject) => ask('delete', subject) as Promise<ConsentAnswer>,
  },
});

process.on(
  'message',
  async (
    message: { kind: 'answer'; id: number; answer: unknown } | { kind: 'order'; request: SubmissionRequest },
  ) => {
    if (message.kind === 'answer') {
      answers.get(message.id)?.(message.answer);
      answers.delete(message.id);
      return;
    }
    const { reference, submittedAt } = await delivery.submit(message.request);
    process.send?.({ kind: 'accepted', subject: message.request.subject, reference, at: submittedAt });
  },
);
delivery.start();
process.send?.({ kind: 'ready' });
