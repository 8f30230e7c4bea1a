import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { headingOf, told } from '../centers/fixture.ts';
import { idOf, nameOf, shop, singlePage } from '../centers/sample-centers.ts';
import { readAsked, startOver } from './asked.ts';

/** Someone who has Offers and Letters, and switches Letters off and Calls on: what the platform then says and does. */
interface Play {
  readonly items: readonly { readonly name: string; readonly status?: boolean }[] | 'nothing';
  /** What is active on record afterwards. */
  readonly record: readonly string[];
  readonly expected: Readonly<Record<string, string>>;
}

const saved = 'saved';
const notSaved = 'not-saved';
const carriedOut = 'in-progress';
const toCheck = 'to-check';
const right = ['Offers', 'Calls'];

const plays: Readonly<Record<string, Play>> = {
  'all is well': {
    items: [{ name: 'Offers' }, { name: 'Calls' }, { name: 'Letters' }],
    record: right,
    expected: { Calls: saved, Letters: saved },
  },
  'the opt-in is refused': {
    items: [{ name: 'Offers' }, { name: 'Calls', status: false }, { name: 'Letters' }],
    record: ['Offers'],
    expected: { Calls: notSaved, Letters: saved },
  },
  'the opt-in is accepted, and not on record': {
    items: [{ name: 'Calls' }, { name: 'Letters' }],
    record: ['Offers'],
    expected: { Calls: notSaved, Letters: saved },
  },
  'the withdrawal is accepted, and still active on record': {
    items: [{ name: 'Calls' }, { name: 'Letters' }],
    record: ['Offers', 'Calls', 'Letters'],
    expected: { Calls: saved, Letters: carriedOut },
  },
  'the answer has no items, and the opt-in is on record': {
    items: 'nothing',
    record: right,
    expected: { Calls: toCheck, Letters: saved },
  },
  'what nobody touched is taken away with it': {
    items: [{ name: 'Offers', status: false }, { name: 'Calls' }, { name: 'Letters' }],
    record: ['Calls'],
    expected: { Calls: saved, Letters: saved, Offers: toCheck },
  },
};

suite('What the platform answers is believed only when', { concurrency: true }, () => {
  const people = new Map<string, { readonly play: Play; record: readonly string[] }>();
  const { platform, product } = forSuite(() =>
    startOver(({ kind, identifier, method, body }) => {
      if (kind === 'preferences') return { body: singlePage() };
      const person = people.get(identifier);
      if (kind !== 'subject' || person === undefined) return { status: 404, body: '' };
      const { play, record } = person;
      if (method === 'GET') return { body: subject(identifier, record) };
      // On a busy machine the withdrawal may go ahead of the opt-in.
      person.record = body.includes(idOf('Calls')) ? play.record : ['Offers'];
      if (play.items === 'nothing') return { body: { Purposes: [] } };
      const items = play.items.map(({ name, status = true }) => {
        return { Id: idOf(name), Status: status, ReceiptGuid: 'r-0', Messages: ['Done'] };
      });
      return { body: { Purposes: items } };
    }),
  );

  for (const [number, [what, play]] of Object.entries(plays).entries()) {
    test(`its items and the record agree: ${what}.`, async () => {
      const identifier = `answer.${number}@example.org`;
      people.set(identifier, { play, record: ['Offers', 'Letters'] });
      const visitor = createVisitor(product.url);
      const page = await visitor.open(await product.link({ center: shop, identifier }));
      const form = readForm(page.text).untick('purpose', idOf('Letters')).tick('purpose', idOf('Calls'));
      // A record may lag behind the answer: one that contradicts it is read again for longer than the page waits.
      const result = await told(visitor, await visitor.send(form, save), play.expected);
      const isAllSaved = Object.values(play.expected).every((outcome) => outcome === saved);
      assert.equal(headingOf(result) === 'All is saved', isAllSaved);
      const puts = platform.calls.filter(
        (seen) => seen.method === 'PUT' && readAsked(seen).identifier === identifier,
      );
      const sent = puts.map(({ body }) => JSON.parse(body) as { Purposes: { Id: string }[] });
      const asked = sent.map(({ Purposes }) =>
        Purposes.map(({ Id }) => nameOf(Id))
          .toSorted()
          .join(),
      );
      assert.ok(asked.includes('Calls,Offers'), asked.join(' '));
      assert.ok(!asked.join().includes('Letters'), asked.join(' '));
    });
  }
});

function subject(identifier: string, active: readonly string[]) {
  return {
    DataSubjectId: identifier,
    Status: 200,
    Purposes: ['Offers', 'Calls', 'Letters'].map((name) => ({
      Id: idOf(name),
      TransactionStatus: active.includes(name) ? 'ACTIVE' : 'WITHDRAWN',
      Topics: [],
      CustomPreferences: [],
    })),
    DsDataElements: {},
  };
}
