import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { bank, books, newBooks } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { answers, takes } from '../../webhooks/receiver.ts';
import { enter } from '../staff/fixture.ts';
import { openEventFixture } from './fixture.ts';

const fixture = forSuite(openEventFixture);

const mainOf = (html: string) => textOf(html, 'main') ?? '';

const maySend = async (
  identifiers: readonly unknown[],
  purpose = newBooks,
  key: 'asker' | 'bank' = 'asker',
) => {
  const { status, text } = await fixture.ask(key, '/api/may-send', { body: { purpose, identifiers } });
  assert.equal(status, 200, text);
  return JSON.parse(text);
};

suite('Events of a center', () => {
  test('a withdrawal and its verification reach the receiver and the API', async () => {
    const person = 'both@example.org';
    await fixture.leave(person, newBooks);
    const lines = await until(async () => {
      const found = (await fixture.events()).filter(({ data }) => data['identifier'] === person);
      return found.length === 2 && found;
    });
    assert.deepEqual(
      lines.map(({ type, data }) => [type, data['purpose'], data['change'], data['channel']]),
      [
        ['withdrawal.accepted', newBooks, 'off', 'one-click'],
        ['consent.verified', newBooks, 'off', 'one-click'],
      ],
    );
    const sent = await until(() => {
      const found = fixture.receiver.taken.filter(({ body }) => body.data['identifier'] === person);
      return found.length === 2 && found;
    });
    assert.deepEqual(
      sent.map(({ id, body }) => ({ id, ...body })),
      lines.map(({ cursor: _cursor, ...line }) => ({ id: line.data['id'], ...line })),
    );
  });

  test('events continue after a cursor, in parts, and belong to one center', async () => {
    await fixture.leave('first@example.org');
    await fixture.leave('second@example.org');
    await until(async () => (await fixture.events()).length >= 6);
    const all = await fixture.events();
    assert.deepEqual(
      all.map(({ cursor }) => cursor),
      all.map((_, index) => index + 1),
    );
    const [one, two] = all;
    assert.deepEqual(await fixture.events('?limit=1'), [one]);
    assert.deepEqual(await fixture.events('?after=1&limit=1'), [two]);
    assert.deepEqual(await fixture.events('', 'bank'), []);
    await fixture.leave('third@example.org', undefined, 'bank');
    const [other] = await until(async () => {
      const lines = await fixture.events('', 'bank');
      return lines.length > 0 && lines;
    });
    assert.deepEqual([other?.cursor, other?.data['center']], [1, bank]);
  });

  test('an unknown cursor gets 410, and a malformed one 400', async () => {
    const { status, text } = await fixture.ask('newsletter', '/api/events?after=999999');
    assert.equal(status, 410);
    assert.equal(JSON.parse(text).error, 'cursor-unknown');
    for (const query of ['after=-1', 'after=x', 'after=', 'limit=0', 'limit=1001', 'limit=1e2'])
      assert.equal((await fixture.ask('newsletter', `/api/events?${query}`)).status, 400, query);
  });
});

suite('A system that stopped sending', () => {
  test('the result page names the system in the language of the person', async () => {
    const person = 'stopped@example.org';
    const visitor = createVisitor(fixture.product.url);
    await visitor.open(await fixture.product.link({ center: 'books', identifier: person }));
    const form = await visitor.open('/centers/books/unsubscribe');
    const result = await visitor.submit(form, () => undefined);
    assert.match(result.url, /\/results\//);
    assert.doesNotMatch(mainOf(result.text), /Sending stopped/);
    const [event] = await until(async () => {
      const found = (await fixture.events('?limit=1000')).filter(({ data }) => data['identifier'] === person);
      return found.length > 0 && found;
    });
    const path = `/api/events/${event?.data['id']}/stopped`;
    assert.equal((await fixture.ask('asker', path)).status, 403);
    assert.equal((await fixture.ask('bank', path)).status, 404, 'the key belongs to another center');
    for (let times = 0; times < 2; times += 1)
      assert.equal((await fixture.ask('newsletter', path)).status, 204);
    const english = mainOf((await visitor.open(result.url)).text);
    assert.match(english, /Sending stopped in Newsletter <system>: .*\d{4}.* UTC/);
    const german = mainOf((await visitor.open(`${new URL(result.url).pathname}?lang=de`)).text);
    assert.match(german, /Versand gestoppt in Newsletter <system>: \d+\. \S+ \d{4}/);
  });
});

test('staff see a receiver that stopped, and can send again', async () => {
  const staff = await enter(fixture.product);
  fixture.receiver.behave = answers(410);
  const person = 'gone@example.org';
  await fixture.leave(person, newBooks);
  const page = await until(async () => {
    const found = await staff.open('/staff/receivers');
    return /Stopped/.test(mainOf(found.text)) && found;
  });
  fixture.receiver.behave = takes;
  const { controls } = readForm(page.text, 'receiver');
  const value = controls.find(({ name }) => name === 'receiver')?.value ?? '';
  const again = await staff.submit(page, () => undefined, { name: 'receiver', value });
  assert.match(mainOf(again.text), /Sending again to 127/);
  await until(() => fixture.receiver.taken.some(({ body }) => body.data['identifier'] === person));
  assert.match(mainOf((await staff.open('/staff/audit')).text), /sent events again/);
});

suite('The question whether a mail may be sent', () => {
  test('the journal answers in the order of the question, for a purpose and for all', async () => {
    const [gone, left] = ['may-gone@example.org', 'may-left@example.org'];
    await fixture.leave(gone, newBooks);
    await fixture.leave(left);
    const asked = ['may-never@example.org', gone, left];
    const answer = await maySend(asked);
    assert.deepEqual(answer.maySend, [true, false, false]);
    assert.equal(answer.source, 'journal');
    assert.ok(Date.parse(answer.since) > 0);
    const other = 'b00c5000-0000-4001-8000-000000000002';
    assert.deepEqual((await maySend(asked, other)).maySend, [true, true, false]);
    assert.deepEqual((await maySend(asked, newBooks.toUpperCase())).maySend, [true, false, false]);
    assert.deepEqual((await maySend(asked, newBooks, 'bank')).maySend, [true, true, true]);
  });

  test('a question takes a thousand valid identifiers, and no more', async () => {
    const people = Array.from({ length: 1_000 }, (_, index) => `many-${index}@example.org`);
    assert.deepEqual((await maySend(people)).maySend, Array(1_000).fill(true));
    const post = (body: unknown, headers = {}) => fixture.ask('asker', '/api/may-send', { body, headers });
    const purpose = newBooks;
    assert.equal((await post({ purpose, identifiers: [...people, 'one@example.org'] })).status, 400);
    const wrong = await post({ purpose, identifiers: ['fine@example.org', ' blank@example.org', 7] });
    assert.deepEqual([wrong.status, JSON.parse(wrong.text).wrong], [400, [1, 2]]);
    for (const body of [{}, [], { purpose }, { identifiers: [] }, 'no json', 'null'])
      assert.equal((await post(body)).status, 400, JSON.stringify(body));
    assert.equal((await post({ purpose, identifiers: ['x'.repeat(700_000)] })).status, 413);
    assert.equal((await post('purpose=x', { 'content-type': 'text/plain' })).status, 400);
  });

  test('the answer names a purpose that the center lacks, and its withdrawal ends as not saved', async () => {
    const gone = 'b00c5000-0000-4001-8000-00000000dead';
    const person = 'wrong.purpose@example.org';
    assert.equal((await maySend([person])).purposeInCenter, undefined);
    assert.equal((await maySend([person], gone)).purposeInCenter, false);
    await fixture.leave(person, gone);
    assert.deepEqual((await maySend([person], gone)).maySend, [false]);
    const taken = await until(() => {
      const found = fixture.receiver.taken.filter(({ body }) => body.data['identifier'] === person);
      return found.length === 2 && found;
    });
    assert.deepEqual(
      taken.map(({ body }) => [body.type, body.data['outcome']]),
      [
        ['withdrawal.accepted', 'accepted'],
        ['consent.not-saved', 'no-such-purpose'],
      ],
    );
  });

  test('a malformed purpose or a broken encoding gets no answer', async () => {
    await fixture.leave('josé@example.org', newBooks);
    assert.deepEqual((await maySend(['josé@example.org'], newBooks.toUpperCase())).maySend, [false]);
    const post = (body: unknown) => fixture.ask('asker', '/api/may-send', { body });
    const identifiers = ['josé@example.org'];
    for (const purpose of [
      ` ${newBooks}`,
      `${newBooks}\n`,
      `{${newBooks}}`,
      newBooks.replaceAll('-', ''),
      'x',
    ])
      assert.equal((await post({ purpose, identifiers })).status, 400, purpose);
    const asked = JSON.stringify({ purpose: newBooks, identifiers });
    for (const encoding of ['latin1', 'utf16le'] as const)
      assert.equal((await post(Buffer.from(asked, encoding))).status, 400, encoding);
  });
});

suite('An API key', () => {
  // test/features/routes.test.ts holds requests without a key.
  test('a key opens what its scopes allow', async () => {
    assert.equal((await fixture.ask('asker', '/api/events')).status, 403);
    const { headers } = await fixture.ask(undefined, '/api/events');
    assert.equal(headers['www-authenticate'], 'Bearer');
  });

  test('wrong keys are counted and refused after 40, and do not block a right one', async () => {
    const guess = (times: number) =>
      fixture.ask(undefined, '/api/events', { headers: { authorization: `Bearer guess-${times}` } });
    const statuses: number[] = [];
    for (let times = 0; times < 45; times += 1) statuses.push((await guess(times)).status);
    assert.equal(statuses.at(-1), 429);
    assert.ok(statuses.filter((status) => status === 401).length <= 40);
    assert.equal((await fixture.ask('newsletter', '/api/events')).status, 200);
    const metrics = await (await fetch(fixture.product.metricsUrl)).text();
    assert.match(metrics, /sayso_wrong_api_keys_total 4\d/);
    assert.match(metrics, new RegExp(`sayso_events\\{center="${books}",state="held"\\} 0`));
    assert.match(metrics, /sayso_event_call_seconds_count\{center="[^"]+",outcome="ok"\} [1-9]/);
  });

  test('a key allows 600 requests a minute', async () => {
    const body = { purpose: newBooks, identifiers: [] };
    const ask = () => fixture.ask('bank', '/api/may-send', { body });
    let refused: Awaited<ReturnType<typeof ask>> | undefined;
    for (let round = 0; round < 30 && refused === undefined; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, ask));
      refused = answers.find(({ status }) => status === 429);
    }
    assert.ok(Number(refused?.headers['retry-after']) >= 1);
    assert.equal((await fixture.ask('asker', '/api/may-send', { body })).status, 200);
  });
});
