import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readForm } from '../kit/form.ts';
import { until } from '../kit/until.ts';
import { cookieOf } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { closedLoop, createGun, type Hit, openLoop, percentile, type Shot } from './load.ts';
import { books, onRecord, openForm, startRig } from './rig.ts';

/** The long form has the machine for itself; test/web/shed counts what is shed. */
const skip = times<string | false>('a machine of its own: npm run test:long', false);

suite('Three times what it can carry', () => {
  test('withdrawals are taken, the rest is shed with 503 and Retry-After, and it recovers.', {
    skip,
  }, async () => {
    await using rig = await startRig({ LOG_LEVEL: 'error' });
    const { product, sandbox } = rig;
    const { visitor } = await openForm(product, books, 'anna@example.org');
    const cookie = cookieOf(visitor);
    const read: Shot = { kind: 'read', url: `${product.url}/centers/${books}`, headers: { cookie } };
    const withdrawals = await prepare(400);
    const gun = createGun(product.url, 900);

    await closedLoop({ clients: 16, ms: 1_500 }, () => gun.fire(read));
    const calm = await closedLoop({ clients: 16, ms: 2_000 }, () => gun.fire(read));
    const capacity = calm.filter(({ status }) => status === 200).length / 2;

    const ms = 30_000;
    const every = Math.max(2, Math.floor(((capacity * 3 * ms) / 1_000 / withdrawals.length) * 0.8));
    let next = 0;
    const { hits, unanswered } = await openLoop({ perSecond: capacity * 3, ms }, (index) => {
      const shot = index % every === every - 1 ? withdrawals[next++] : undefined;
      return gun.fire(shot ?? read);
    });
    const began = performance.now();
    let recovered = 0;
    let inRow = 0;
    await until(async () => {
      const { status } = await gun.fire(read);
      inRow = status === 200 ? inRow + 1 : 0;
      recovered = performance.now() - began;
      return inRow === 5;
    }, 'it recovers');
    const taken = hits.filter(({ kind }) => kind === 'withdrawal');
    const reads = hits.filter(({ kind }) => kind === 'read');
    const served = reads.filter(({ status }) => status === 200);
    const shed = reads.filter(({ status }) => status === 503);
    const within = shareWithin10(await (await fetch(product.metricsUrl)).text());
    report({ within, capacity, reads, served, shed, taken, recovered });
    assert.ok(taken.length >= withdrawals.length * 0.5, `${taken.length} withdrawals were sent`);
    assert.deepEqual([...new Set(taken.map(({ status }) => status))], [303]);
    assert.equal(served.length + shed.length, reads.length, 'some requests got no answer, or another one');
    assert.ok(shed.every(({ retryAfter }) => Number(retryAfter) >= 1));
    // Nothing is shed only where three times was still not too much.
    assert.ok(shed.length > 0 || unanswered < capacity, `nothing was shed, and ${unanswered} waited`);
    for (let index = 0; index < next && index < withdrawals.length; index += 1) {
      assert.deepEqual([...(await onRecord(sandbox, books, `over.${index}@example.org`))], []);
    }
    await gun.close();

    async function prepare(count: number): Promise<Shot[]> {
      const shots: Shot[] = [];
      for (let index = 0; index < count; index += 1) {
        const person = await openForm(product, books, `over.${index}@example.org`);
        const page = await person.visitor.get(`/centers/${books}/unsubscribe`);
        const { action, fields } = readForm(page.text).press();
        shots.push({
          kind: 'withdrawal',
          url: new URL(action, page.url).href,
          method: 'POST',
          headers: {
            cookie: cookieOf(person.visitor),
            origin: product.url,
            'sec-fetch-site': 'same-origin',
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams(fields).toString(),
        });
      }
      return shots;
    }
  });
});

function report(found: {
  within: number;
  capacity: number;
  reads: readonly Hit[];
  served: readonly Hit[];
  shed: readonly Hit[];
  taken: readonly Hit[];
  recovered: number;
}): void {
  const { within, capacity, reads, served, shed, taken, recovered } = found;
  const p = (hits: readonly Hit[], share: number) => `${Math.round(percentile(hits, share))}`;
  process.stdout.write(
    `overload: capacity ${Math.round(capacity)}/s; of ${reads.length} reads ${served.length} served (p50 ${p(served, 0.5)} ms, p99 ${p(served, 0.99)} ms), ` +
      `${shed.length} shed (${(within * 100).toFixed(1)} % of them in 10 ms of their arrival in the product; for the client p50 ${p(shed, 0.5)} ms, p99 ${p(shed, 0.99)} ms); ${taken.length} withdrawals, p99 ${p(taken, 0.99)} ms, ` +
      `recovered after ${Math.round(recovered)} ms\n`,
  );
}

/** Of the answers 503, how many took the product no more than 10 ms, by its own metrics. */
function shareWithin10(metrics: string): number {
  const sum = (pattern: RegExp) =>
    [...metrics.matchAll(pattern)].reduce((total, [, count = '0']) => total + Number(count), 0);
  const quick = sum(/^sayso_request_seconds_bucket\{le="0\.01",[^}]*status="503"\} (\d+)$/gm);
  return quick / sum(/^sayso_request_seconds_count\{[^}]*status="503"\} (\d+)$/gm);
}
