import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import { createPacer } from '../../src/upstream/pacer.ts';
import { memoryStore } from './pacing-world.ts';
import { singlePageId, subjectId } from './recorded.ts';
import { platformAt, startScripted } from './scripted-platform.ts';

const anna = subjectId('anna@example.org');
const quota = { perMinute: 1_000, perHour: 5_000 };
/** The quota by the first answer, and the number of calls that may go out then. */
const cases = [
  { period: 'MINUTE', allowed: 10, made: 1, calls: 10 },
  { period: 'MINUTE', allowed: 1_000, made: 995, calls: 6 },
  // The call for a token counts as one of them.
  { period: 'HOUR', allowed: 5_000, made: 4_990, calls: 10 },
] as const;

suite('Two nodes over a platform with a quota', () => {
  for (const { period, allowed, made, calls } of cases)
    test(`nodes follow a quota of ${allowed} calls a ${period} of which an answer says ${made} are made`, async (t) => {
      const headers = {
        'svc-period': period,
        'svc-requests-allowed': String(allowed),
        'svc-request-made': String(made),
      };
      const server = await startScripted((_seen, place) => ({
        ...(place === 1 ? { headers } : {}),
        body: { DataSubjectId: anna, Purposes: [] },
      }));
      const store = memoryStore(() => 0);
      const nodes = [1, 2].map(() => {
        const pacer = createPacer({ quota, store, clock: { now: () => 1e12 } });
        return platformAt(server.url, { pacer, rateLimitPrefix: 'svc' });
      });
      t.after(() => Promise.all([server.close(), ...nodes.map((node) => node.close())]));
      for (let call = 0; call < 30; call += 1) {
        const read = nodes[call % 2]?.readSubject(singlePageId, anna, { priority: 'withdrawal' });
        await read?.catch((fault: unknown) => {
          assert.ok(fault instanceof Problem && fault.code === 'quota-used-up', String(fault));
        });
      }
      assert.equal(server.calls.length, calls);
    });
});
