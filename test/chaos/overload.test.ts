import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { quantile } from '../bench/figures.ts';
import { readForm } from '../kit/form.ts';
import { until } from '../kit/until.ts';
import { cookieOf } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { closedLoop, createClient, type LoadAnswer, type LoadRequest, openLoop } from './load.ts';
import { books, onRecord, openForm, startRig } from './rig.ts';

/** Only the long form has the machine for itself; test/web/shed counts the requests that are shed. */
const skip = times<string | false>('a machine of its own: npm run test:long', false);

suite('Three times the load that the product can carry', () => {
  test('withdrawals are taken, the rest is shed with 503 and Retry-After, and the product recovers', {
    skip,
  }, async () => {
    await using rig = await startRig({ LOG_LEVEL: 'error' });
    const { product, sandbox } = rig;
    const { visitor } = await openForm(product, books, 'anna@example.org');
    const cookie = cookieOf(visitor);
    const read: LoadRequest = { kind: 'read', url: `${product.url}/centers/${books}`, headers: { cookie } };
    const withdrawals = await prepare(400);
    const client = createClient(product.url, 900);

    await closedLoop({ clients: 16, ms: 1_500 }, () => client.send(read));
    const calm = await closedLoop({ clients: 16, ms: 2_000 }, () => client.send(read));
    const capacity = calm.filter(({ status }) => status === 200).length / 2;

    const ms = 30_000;
    const every = Math.max(2, Math.floor(((capacity * 3 * ms) / 1_000 / withdrawals.length) * 0.8));
    let next = 0;
    const { answers, unanswered } = await openLoop({ perSecond: capacity * 3, ms }, (index) => {
      const withdrawal = index % every === every - 1 ? withdrawals[next++] : undefined;
      return client.send(withdrawal ?? read);
    });
    const began = performance.now();
    let recovered = 0;
    let inRow = 0;
    await until(async () => {
      const { status } = await client.send(read);
      inRow = status === 200 ? inRow + 1 : 0;
      recovered = performance.now() - began;
      return inRow === 5;
    }, 'it recovers');
    const taken = answers.filter(({ kind }) => kind === 'withdrawal');
    const reads = answers.filter(({ kind }) => kind === 'read');
    const served = reads.filter(({ status }) => status === 200);
    const shed = reads.filter(({ status }) => status === 503);
    const within = shareWithin10(await (await fetch(product.metricsUrl)).text());
    report({ within, capacity, reads, served, shed, taken, recovered });
    assert.ok(taken.length >= withdrawals.length * 0.5, `${taken.length} withdrawals were sent`);
    assert.deepEqual([...new Set(taken.map(({ status }) => status))], [303]);
    assert.equal(served.length + shed.length, reads.length, 'some requests got no answer, or another one');
    assert.ok(shed.every(({ retryAfter }) => Number(retryAfter) >= 1));
    // Only where three times the load was not too much may nothing be shed.
    assert.ok(shed.length > 0 || unanswered < capacity, `nothing was shed, and ${unanswered} waited`);
    for (let index = 0; index < next && index < withdrawals.length; index += 1) {
      assert.deepEqual([...(await onRecord(sandbox, books, `over.${index}@example.org`))], []);
    }
    await client.close();

    async function prepare(count: number): Promise<LoadRequest[]> {
      const requests: LoadRequest[] = [];
      for (let index = 0; index < count; index += 1) {
        const person = await openForm(product, books, `over.${index}@example.org`);
        const page = await person.visitor.get(`/centers/${books}/unsubscribe`);
        const { action, fields } = readForm(page.text).press();
        requests.push({
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
      return requests;
    }
  });
});

function report(found: {
  within: number;
  capacity: number;
  reads: readonly LoadAnswer[];
  served: readonly LoadAnswer[];
  shed: readonly LoadAnswer[];
  taken: readonly LoadAnswer[];
  recovered: number;
}): void {
  const { within, capacity, reads, served, shed, taken, recovered } = found;
  const p = (answers: readonly LoadAnswer[], share: number) =>
    Math.round(
      quantile(
        answers.map(({ ms }) => ms),
        share,
      ),
    );
  process.stdout.write(
    `overload: capacity ${Math.round(capacity)}/s; of ${reads.length} reads ${served.length} served (p50 ${p(served, 0.5)} ms, p99 ${p(served, 0.99)} ms), ` +
      `${shed.length} shed (${(within * 100).toFixed(1)} % of them in 10 ms of their arrival in the product; for the client p50 ${p(shed, 0.5)} ms, p99 ${p(shed, 0.99)} ms); ${taken.length} withdrawals, p99 ${p(taken, 0.99)} ms, ` +
      `recovered after ${Math.round(recovered)} ms\n`,
  );
}

/** The share of the 503 answers that took the product at most 10 ms, by its own metrics. */
function shareWithin10(metrics: string): number {
  const sum = (pattern: RegExp) =>
    [...metrics.matchAll(pattern)].reduce((total, [, count = '0']) => total + Number(count), 0);
  const quick = sum(/^sayso_request_seconds_bucket\{le="0\.01",[^}]*status="503"\} (\d+)$/gm);
  return quick / sum(/^sayso_request_seconds_count\{[^}]*status="503"\} (\d+)$/gm);
}
