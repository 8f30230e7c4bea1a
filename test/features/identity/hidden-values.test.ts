import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { maskValue } from '../../../src/pages/person/profile.ts';
import { times } from '../../chaos/dice.ts';
import { productOf } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import type { SandboxCall } from '../../kit/sandbox-client.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { enterShop, shop } from '../../kit/shop.ts';
import { until } from '../../kit/until.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { type RouteRule, routes } from '../../routes.ts';

/*
 * The records of two people differ only in values that a link for withdrawing hides, and these values have
 * equal masks. A request with such a link must get the same answer for both people: then a guess, which is
 * right for one of them and wrong for the other, tells nothing.
 */

type Pair<T> = readonly [T, T];
type SignInContext = '/centers' | '/embed';
const mounts = ['/centers', '/embed'] as const;
const identifiers: Readonly<Record<SignInContext, Pair<string>>> = {
  '/centers': ['paula@example.org', 'perry@example.org'],
  '/embed': ['petra@example.org', 'priya@example.org'],
};

/** The values of both people by the name of the field. */
let hidden: ReadonlyMap<string, Pair<string>>;
/** An earlier submission of each person, made with a link for managing. */
const earlier = new Map<SignInContext, Pair<{ readonly reference: string; readonly undo: string }>>();

let journal: DatabaseSync | undefined;
/** Counts the people for whom delivery has work. */
let due: StatementSync | undefined;

const product = productOf({
  env: { LOG_LEVEL: 'info' },
  centers: [shop],
});
after(() => journal?.close());
before(async () => {
  journal = new DatabaseSync(join(product.home, 'data/journal.sqlite'), { readOnly: true });
  due = journal.prepare('SELECT count(*) AS due FROM person WHERE due_at IS NOT NULL');
  for (const context of mounts) {
    const [one, other] = identifiers[context];
    const made = await Promise.all([register(one, 0), register(other, 1)]);
    hidden = new Map(
      [...made[0].values].map(([field, value]) => [field, [value, made[1].values.get(field) ?? '']]),
    );
    earlier.set(context, made);
  }
  assert.ok([...hidden.values()].filter(([one, other]) => one !== other).length >= 3);
});

const typed: Readonly<Record<string, Pair<string>>> = {
  text: ['Marlow', 'Montgomery the Second'],
  tel: ['+44 20 7946 0001', '+44 20 7946 0999'],
  number: ['1234', '98765432'],
  date: ['1970-01-02', '1999-12-30'],
};

/** Puts the values of one of the two people on record, with a link for managing. */
async function register(identifier: string, which: 0 | 1) {
  const visitor = english();
  await enterShop(visitor, '/centers', { subject: identifier, scope: 'manage' });
  const page = await visitor.get('/centers/shop');
  const form = readForm(page.text, 'purpose');
  const values = new Map<string, string>();
  for (const { name, type, label, disabled, readOnly, options } of form.controls) {
    if (!name.startsWith('element.') || disabled || readOnly) continue;
    const text = typed[/a year/.test(label) ? 'number' : type]?.[which];
    // The first options with equal masks.
    const alike = Map.groupBy(options, ({ value }) => maskValue(value));
    const choice = [...alike.values()].find((choices) => choices.length > 1)?.[which]?.value;
    if (text !== undefined) form.type(name, text);
    else if (choice !== undefined) form.choose(name, choice);
    else continue;
    values.set(name, text ?? choice ?? '');
  }
  const result = await visitor.send(form, save);
  assert.match(result.url, /\/results\//, result.text);
  const undo = readForm(result.text, /\/undo/);
  const token = undo?.press().fields.find(([name]) => name === 'token')?.[1];
  assert.ok(token);
  const reference = /\/results\/([^/?]+)/.exec(result.url)?.[1] ?? '';
  return { values, reference, undo: token };
}

const english = () => createVisitor(product.url, { 'accept-language': 'en' });

/** A visitor with a link for withdrawing. `query` belongs to each of their addresses. */
interface Stranger {
  readonly which: 0 | 1;
  readonly visitor: Visitor;
  readonly query: string;
  /** The fields of the page's form. */
  readonly form: readonly (readonly [string, string])[];
  readonly unsubscribe: string;
}

async function enter(context: SignInContext, which: 0 | 1): Promise<Stranger> {
  const visitor = english();
  const subject = identifiers[context][which];
  const query = await enterShop(visitor, context, { subject, scope: 'withdraw' });
  const page = await visitor.get(`${context}/shop${query}`);
  const leaving = await visitor.get(`${context}/shop/unsubscribe${query}`);
  return {
    which,
    visitor,
    query,
    form: readForm(page.text, 'purpose').press(save).fields,
    unsubscribe: tokenOf(readForm(leaving.text).press().fields),
  };
}

function tokenOf(fields: Iterable<readonly [string, string]>): string {
  return [...fields].find(([name]) => name === 'token')?.[1] ?? '';
}

/** The answer without random parts and times; a sealed part is replaced by its length. */
function comparable({ status, headers, location, text }: Answer): unknown {
  const plain = (part: string) =>
    part
      .replaceAll(/\/results\/[\w-]+/g, '/results/…')
      .replaceAll(/(?<=v=)[\w-]+/g, ({ length }) => `view of ${length}`)
      .replaceAll(/[\w-]{44,}/g, ({ length }) => `sealed in ${length}`)
      .replaceAll(/\b[0-9a-f]{10}\b|(?<=<code dir="ltr">)[^<]*/g, 'reference')
      .replaceAll(/(?<=(?:data-ends-in|data-after|content)=")\d+/g, '…');
  const { 'set-cookie': cookies, date: _date, ...others } = headers;
  const kept = Object.fromEntries(
    Object.entries(others).filter(([name]) => !/^(x-request-id|server-timing|etag)$/.test(name)),
  );
  return {
    status,
    location: location === undefined ? undefined : plain(location),
    text: plain(text),
    headers: JSON.parse(plain(JSON.stringify(kept))),
    cookies: [cookies ?? []].flat().map((line) => /^[^=]+/.exec(line)?.[0]),
  };
}

/** Calls that read a schema are left out: they depend on its age, not on the visitor. */
function callsAboutPeople(calls: readonly SandboxCall[]): readonly string[] {
  const ofPeople = calls.filter(({ operation }) => operation?.includes('schema') !== true);
  return ofPeople.map(({ method, operation, status }) => `${method} ${operation} ${status}`);
}

/** Waits for delivery, which reads a purpose that was already off again seconds later. */
const delivered = () => until(() => due?.get()?.['due'] === 0, 'delivery comes to rest');

/** Sends a request for both people; both must get the same answer with the same calls of the platform. */
async function assertAlike(
  request: string,
  pair: Pair<Stranger>,
  ask: (stranger: Stranger) => Promise<Answer>,
): Promise<Pair<Answer>> {
  const answers: Answer[] = [];
  const calls: unknown[] = [];
  for (const stranger of pair) {
    await delivered();
    await product.sandbox.clearCalls();
    const answer = await ask(stranger);
    answers.push(answer);
    // Delivery goes on after the answer.
    await delivered();
    calls.push(callsAboutPeople(await product.sandbox.calls()));
  }
  assert.deepEqual(comparable(answers[0] as Answer), comparable(answers[1] as Answer), request);
  assert.deepEqual(calls[0], calls[1], `${request}: calls`);
  return [answers[0] as Answer, answers[1] as Answer];
}

const exampleOf = ({ path }: RouteRule) => path.replace(':center', 'shop').replace(/\{[^}]*\}/, '');
const withQuery = (path: string, query: string) =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query.replace(/^\?/, '')}`;

for (const context of mounts) {
  suite(`Values that a link for withdrawing hides, below ${context}`, () => {
    const own = routes.filter(({ path }) => path.startsWith(`${context}/`));

    test('a guess in a form tells no hidden value, whatever its field', async () => {
      const pair = [await enter(context, 0), await enter(context, 1)] as const;
      const lengths = pair.map(({ form }) => tokenOf(form).length);
      assert.equal(lengths[0], lengths[1], 'no value of the record is sealed into the form');
      for (const [field, values] of hidden) {
        for (const guess of times([values[0]], [...values, '', 'neither'])) {
          const [answer] = await assertAlike(`${field}=${guess}`, pair, ({ visitor, query, form }) =>
            visitor.post(`${context}/shop${query}`, [...form, [field, guess]]),
          );
          assert.equal(answer.status, context === '/embed' ? 200 : 403);
          assert.ok(answer.text.includes('name="held"'), 'a message is offered');
        }
      }
      const none = ['element.', 'element.nothing', 'element.constructor'];
      for (const field of times(['element.__proto__'], [...none, 'element.__proto__'])) {
        const [answer] = await assertAlike(field, pair, ({ visitor, query, form }) =>
          visitor.post(`${context}/shop${query}`, [...form, [field, 'Marlow']]),
        );
        assert.equal(answer.status, context === '/embed' ? 200 : 403, 'like a real element');
      }
    });

    test('a guess beside a withdrawal tells no hidden value, and the withdrawal is made', async () => {
      const [field, values] = [...hidden].find(([, [one, other]]) => one !== other) ?? [];
      assert.ok(field && values);
      const pair = [await enter(context, 0), await enter(context, 1)] as const;
      const ticked = pair[0].form.find(([name]) => name === 'purpose')?.[1];
      assert.ok(ticked);
      await assertAlike('a withdrawal and a guess', pair, ({ visitor, query, form }) => {
        const left = form.filter(([name, value]) => value !== ticked && !name.includes(ticked));
        return visitor.post(`${context}/shop${query}`, [...left, [field, values[0]]]);
      });
      for (const identifier of identifiers[context]) {
        const { Purposes } = await product.sandbox.subject(books, identifier);
        const status = Purposes.find(({ Id }) => Id.toLowerCase() === ticked)?.TransactionStatus;
        assert.match(String(status), /WITHDRAWN|OPT_OUT|NO_CONSENT/);
      }
    });

    test('no route of the table tells a hidden value by a guess in its address or body', async () => {
      const made = earlier.get(context);
      assert.ok(made);
      assert.ok(own.length >= 12, `${own.length} routes`);
      const value = [...hidden.values()].map(([one]) => one).find((one) => one !== '') ?? '';
      const guesses = times([value], [identifiers[context][0], value]);
      const names = ['lang', 'k', 't', 'ticket', 'v2', 'reason', 'failed', 'purpose', 'element.x'];
      let pair = [await enter(context, 0), await enter(context, 1)] as const;
      for (const rule of own) {
        for (const guess of guesses) {
          if (rule.method === 'GET') {
            const query = new URLSearchParams(names.map((name) => [name, guess])).toString();
            const each = names.map((name) => new URLSearchParams([[name, guess]]).toString());
            // An address with a token is not read further.
            const others = new URLSearchParams(
              names.filter((name) => !['k', 't', 'ticket'].includes(name)).map((name) => [name, guess]),
            ).toString();
            for (const asked of times([others, `t=${encodeURIComponent(guess)}`], ['', ...each, query])) {
              await assertAlike(`${rule.path}?${asked}`, pair, ({ visitor, query: visit, which }) => {
                const path = exampleOf(rule)
                  .replace(':reference', made[which].reference)
                  .replace('*rest', 'somewhere');
                return visitor.get(withQuery(withQuery(path, visit), asked));
              });
            }
            continue;
          }
          // Messages are limited: each kind of request is sent once for each guess.
          const fields = [
            'email',
            'code',
            'held',
            'reason',
            'reason-text',
            'purpose',
            'keep-language',
            'topic.x',
          ];
          for (const token of ['page', 'unsubscribe', 'undo', 'guess'] as const) {
            await assertAlike(`${rule.path} with ${token}`, pair, (stranger) => {
              const { visitor, query, which, form, unsubscribe } = stranger;
              const sealed = {
                page: tokenOf(form),
                unsubscribe,
                undo: made[which].undo,
                guess,
              }[token];
              const path = exampleOf(rule).replace(':reference', made[which].reference);
              return visitor.post(withQuery(path, query), [
                ['token', sealed],
                ...fields.map((name) => [name, guess] as const),
                ...[...hidden.keys()].map((name) => [name, guess] as const),
              ]);
            });
          }
          // The requests may have ended a session.
          pair = [await enter(context, 0), await enter(context, 1)];
        }
      }
    });

    /** Other tests on the same machine disturb the times. */
    const skip = times<string | false>('a machine of its own: npm run test:long', false);
    test('the time of an answer to a guess tells no hidden value', { skip }, async () => {
      const [field, values] = [...hidden].find(([, [one, other]]) => one !== other) ?? [];
      assert.ok(field && values);
      const stranger = await enter(context, 0);
      const ask = async (guess: string) => {
        const start = performance.now();
        const fields = [...stranger.form, [field, guess] as const];
        await stranger.visitor.post(`${context}/shop${stranger.query}`, fields);
        return performance.now() - start;
      };
      const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
      let apart = Number.POSITIVE_INFINITY;
      // Other work of the machine causes differences that do not stay.
      for (let round = 0; round < 12 && apart > 2; round += 1) {
        const times: Pair<number[]> = [[], []];
        for (let count = 0; count < 30; count += 1) {
          times[0].push(await ask(values[0]));
          times[1].push(await ask(`${values[0].slice(0, -1)}x`));
        }
        apart = Math.abs(median(times[0]) - median(times[1]));
      }
      assert.ok(apart <= 2, `${apart} ms`);
    });
  });
}
