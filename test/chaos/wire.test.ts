import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fastTime } from '../kit/fast-time.ts';
import { readForm } from '../kit/form.ts';
import { createVisitor } from '../kit/visitor.ts';
import type { WireFault } from './proxy.ts';
import {
  books,
  linkTo,
  openForm,
  type Rig,
  type Someone,
  send,
  someone,
  startRig,
  timed,
  within,
} from './rig.ts';

const json = (body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const someoneElse = JSON.stringify({
  DataSubjectId: 'someone.else@example.org',
  Status: 200,
  Purposes: [
    { Id: '00000000-0000-4000-8000-00000000beef', Label: 'Stolen secret', TransactionStatus: 'ACTIVE' },
  ],
  DsDataElements: { 'First Name': 'Stolen secret' },
});

/** Faults on the wire, each for all requests about one person. */
const faults: readonly { readonly name: string; readonly fault: WireFault; readonly isSlow?: boolean }[] = [
  { name: 'late by 20 s', fault: { latency: 20_000 }, isSlow: true },
  { name: 'dripping', fault: { drip: { bytes: 1, every: 200 } }, isSlow: true },
  { name: 'half closed, and nothing comes', fault: { halfClose: true }, isSlow: true },
  { name: 'late by 300 ms', fault: { latency: 300 } },
  { name: 'in pieces', fault: { drip: { bytes: 700, every: 2 } } },
  { name: 'reset before the request', fault: { reset: 'before' } },
  { name: 'reset after the request', fault: { reset: 'after' } },
  { name: 'reset within the answer', fault: { reset: 'within' } },
  { name: 'truncated in the head', fault: { truncate: 20 } },
  { name: 'truncated in the body', fault: { truncate: 600 } },
  { name: 'sent twice', fault: { twice: true } },
  { name: "another person's", fault: { instead: json(someoneElse) } },
  { name: 'garbage', fault: { instead: '\u0000\u0001\u0002\r\n\r\nno HTTP at all' } },
  { name: 'HTML', fault: { instead: json('<!doctype html><p>Stolen secret') } },
  { name: 'of no end', fault: { instead: json(`"${'x'.repeat(3 * 1024 * 1024)}"`) } },
  {
    name: 'with two lengths',
    fault: { instead: json('{}').replace('\r\n\r\n', '\r\nContent-Length: 9\r\n\r\n') },
  },
  {
    name: 'with a header of 1 MiB',
    fault: { instead: json('{}').replace('\r\n\r\n', `\r\nX-A: ${'a'.repeat(1024 * 1024)}\r\n\r\n`) },
  },
];

interface Met {
  readonly name: string;
  readonly person: Someone;
  readonly get: { readonly status: number; readonly ms: number };
  readonly post: { readonly status: number; readonly ms: number };
  readonly texts: string;
}

suite('Between product and platform', () => {
  test('whatever is broken, pages come in time, no person sees another, and withdrawals arrive', async () => {
    await using rig = await startRig(fastTime);
    const bystander = await openForm(rig.product, books, 'anna@example.org');
    /** Heals the wire and waits until the breakers have closed, so that the next scenario meets the wire. */
    const calm = async () => {
      rig.proxy.heal();
      const isCalm = async () => (await bystander.visitor.get(bystander.page.url)).status === 200;
      assert.ok(await within(10_000, isCalm), 'no page came after the wire had healed');
    };
    const slow = await Promise.all(
      faults.filter(({ isSlow }) => isSlow).map((scenario, index) => meet(rig, scenario, `slow.${index}`)),
    );
    await calm();
    const met: Met[] = [...slow];
    for (const [index, scenario] of faults.filter(({ isSlow }) => !isSlow).entries()) {
      met.push(await meet(rig, scenario, `wire.${index}`));
      await calm();
    }
    for (const { name, get, post, texts } of met) {
      assert.ok([200, 502, 503].includes(get.status), `${name}: GET answered ${get.status}`);
      assert.equal(post.status, 303, `${name}: POST answered ${post.status}`);
      assert.doesNotMatch(texts, /Stolen secret|someone\.else|at \S+:\d+:\d+/, name);
    }
    const began = performance.now();
    for (const { name, person } of met)
      assert.ok(await within(60_000, person.hasLeft), `${name}: the withdrawal did not arrive`);
    const worst = (msOf: (one: Met) => number) => Math.round(Math.max(...met.map(msOf)));
    process.stdout.write(
      `wire: ${met.length} faults, GET ≤ ${worst(({ get }) => get.ms)} ms, POST ≤ ${worst(({ post }) => post.ms)} ms, all withdrawals there ${Math.round(performance.now() - began)} ms after healing\n`,
    );
  });
});

/**
 * A person opens their page, and then the wire breaks for them. They withdraw a purpose, and open their link
 * in another browser, for which there is no reading yet. Both are answered meanwhile.
 */
async function meet(rig: Rig, { name, fault }: (typeof faults)[number], id: string): Promise<Met> {
  const identifier = `${id}@example.org`;
  const person = await someone({ rig, who: identifier });
  const link = await linkTo(rig.product, books, identifier);
  person.form.untick('purpose', person.leaving);
  rig.proxy.setFault(identifier, fault);
  const [get, post] = await Promise.all([
    timed(() => createVisitor(rig.product.url).open(link)),
    timed(() => send(person)),
  ]);
  if (get.status === 200) readForm(get.text);
  return { name, person, get, post, texts: get.text + post.text };
}
