import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { type Scripted, startScripted } from '../../upstream/scripted-platform.ts';
import { formPageAt, outcomes, told } from '../centers/fixture.ts';
import { startOver } from '../centers/in-process.ts';
import { idOf, nameOf, shop, singlePage, subjectFile } from '../centers/sample-centers.ts';
import { readAsked } from './recorded-platform.ts';

interface Update {
  readonly Purposes: readonly {
    readonly Id: string;
    readonly Topics: readonly { readonly Id: string }[];
    readonly CustomPreferences: readonly {
      readonly Id: string;
      readonly Options: readonly { Id: string }[];
    }[];
  }[];
  readonly dsDataElements?: Readonly<Record<string, string>>;
}

interface OnFile {
  readonly Purposes: readonly { readonly Id: string; readonly TransactionStatus: string }[];
  readonly DsDataElements: Readonly<Record<string, unknown>>;
}

/** Answers that are successes by their HTTP status, and no records. */
const faults: Readonly<Record<string, (identifier: string) => unknown>> = {
  'nothing in it': () => ({}),
  'a message': () => ({ message: 'Internal error' }),
  'a Status of 500': (identifier) => ({ DataSubjectId: identifier, Status: 500, Purposes: [] }),
  'purposes that are no list': (identifier) => ({
    DataSubjectId: identifier,
    Status: 200,
    Purposes: 'error',
  }),
};

suite('What the platform says of a person', { concurrency: true }, () => {
  const people = new Map<string, OnFile>();
  const puts = new Map<string, Update[]>();
  const broken = new Map<string, unknown>();
  /** Of whom the platform keeps no topics. */
  const forgetful = new Set<string>();
  const { product } = forSuite(async () => {
    const played = await startScripted((seen): Scripted => {
      const { kind, identifier, method, body } = readAsked(seen);
      if (kind === 'preferences') return { body: singlePage() };
      const before = people.get(identifier);
      if (kind !== 'subject' || before === undefined) return { status: 404, body: '' };
      if (broken.has(identifier)) return { body: broken.get(identifier) };
      if (method === 'GET') return { body: before };
      if (method === 'DELETE') return { status: 400, body: { message: 'no transactions' } };
      const update = JSON.parse(body) as Update;
      puts.set(identifier, [...(puts.get(identifier) ?? []), update]);
      const given = update.Purposes.map(({ Topics, ...purpose }) => ({
        ...purpose,
        TransactionStatus: 'ACTIVE',
        Topics: forgetful.has(identifier) ? [] : Topics,
      }));
      const kept = before.Purposes.filter(({ Id }) => !update.Purposes.some((purpose) => purpose.Id === Id));
      const left = kept.map((purpose) => ({ ...purpose, TransactionStatus: 'WITHDRAWN' }));
      people.set(identifier, {
        ...before,
        Purposes: [...given, ...left],
        DsDataElements: { ...before.DsDataElements, ...update.dsDataElements },
      });
      const items = [...given, ...left].map(({ Id }) => ({
        Id,
        Status: true,
        ReceiptGuid: 'r',
        Messages: [],
      }));
      return { body: { Purposes: items } };
    });
    return startOver(played);
  });

  async function enter(identifier: string) {
    const visitor = createVisitor(product.url);
    return { visitor, page: await visitor.open(await product.link({ center: shop, identifier })) };
  }

  async function arrive(identifier: string, record: OnFile) {
    people.set(identifier, record);
    const { visitor, page } = await enter(identifier);
    return { visitor, formPage: formPageAt(visitor, page) };
  }

  const statuses = (identifier: string) =>
    Object.fromEntries(
      people.get(identifier)?.Purposes.map(({ Id, TransactionStatus }) => [nameOf(Id), TransactionStatus]) ??
        [],
    );

  for (const [number, [what, fault]] of Object.entries(faults).entries()) {
    test(`is not that nothing is on record when the answer has ${what}: no withdrawal is lost by it.`, async () => {
      const identifier = `fault.${number}@example.org`;
      const record = JSON.parse(subjectFile(identifier, { Offers: 'ACTIVE', Letters: 'ACTIVE' })) as OnFile;
      const { formPage } = await arrive(identifier, record);
      broken.set(identifier, fault(identifier));
      assert.equal((await enter(identifier)).page.status, 502);
      const result = await formPage.untick('Letters').save();
      assert.deepEqual(outcomes(result), { Letters: 'in-progress' });
      broken.delete(identifier);
      await until(() => puts.has(identifier));
      assert.deepEqual(statuses(identifier), { Offers: 'ACTIVE', Letters: 'WITHDRAWN' });
    });
  }

  test('may keep it from withdrawing everything at once: then it is done by name.', async () => {
    const identifier = 'nothing@example.org';
    const { visitor } = await arrive(identifier, JSON.parse(subjectFile(identifier, {})) as OnFile);
    const page = await visitor.open(`/centers/${shop}/unsubscribe`);
    const result = await visitor.submit(page, () => undefined);
    await told(visitor, result, { Surveys: 'saved', Advice: 'saved' });
    assert.deepEqual(statuses(identifier), { Surveys: 'WITHDRAWN', Advice: 'WITHDRAWN' });
  });

  test('in two places about one purpose is kept as it stands in both.', async () => {
    const identifier = 'twice@example.org';
    const line = (topic: string, shelf: string) => ({
      Id: idOf('News'),
      TransactionStatus: 'ACTIVE',
      Topics: [{ Id: idOf(topic) }],
      CustomPreferences: ['Daily', shelf].map((option) => ({
        Id: idOf('Rhythm'),
        Options: [{ Id: idOf(option) }],
      })),
    });
    const { visitor, formPage } = await arrive(identifier, {
      ...(JSON.parse(subjectFile(identifier, {})) as OnFile),
      Purposes: [line('Crime', 'Weekly'), line('Poetry', 'Hourly')],
    });
    await told(visitor, await formPage.tick('Calls').save(), { Calls: 'saved' });
    const [update] = puts.get(identifier) ?? [];
    const news = update?.Purposes.find(({ Id }) => Id === idOf('News'));
    assert.deepEqual(
      news?.Topics.map(({ Id }) => nameOf(Id)),
      ['Crime', 'Poetry'],
    );
    assert.deepEqual(
      news?.CustomPreferences.map(({ Options }) => Options.map(({ Id }) => nameOf(Id))),
      [['Daily', 'Weekly', 'Hourly']],
    );
  });

  test('in two places that disagree about one purpose grants no more than the stricter of them.', async () => {
    const identifier = 'disagree@example.org';
    const line = (name: string, TransactionStatus: string) => ({ Id: idOf(name), TransactionStatus });
    const { visitor, formPage } = await arrive(identifier, {
      ...(JSON.parse(subjectFile(identifier, {})) as OnFile),
      Purposes: [
        line('News', 'ACTIVE'),
        line('Letters', 'WITHDRAWN'),
        line('News', 'WITHDRAWN'),
        line('Letters', 'ACTIVE'),
        line('Offers', 'ACTIVE'),
      ],
    });
    for (const [name, isOn] of [
      ['News', false],
      ['Letters', false],
      ['Offers', true],
    ] as const)
      assert.equal(formPage.form.isTicked('purpose', idOf(name)), isOn, name);
    await told(visitor, await formPage.tick('Calls').save(), { Calls: 'saved' });
    const [update] = puts.get(identifier) ?? [];
    assert.deepEqual(update?.Purposes.map(({ Id }) => nameOf(Id)).toSorted(), ['Calls', 'Offers']);
  });

  test('about somebody whose name differs by a capital is not used, for reading or for writing.', async () => {
    const identifier = 'capital@example.org';
    const record = JSON.parse(subjectFile('Capital@example.org', { News: 'ACTIVE' })) as OnFile;
    const { visitor, formPage } = await arrive(identifier, JSON.parse(subjectFile(identifier, {})) as OnFile);
    people.set(identifier, record);
    assert.equal((await visitor.open(formPage.page.url)).status, 502);
    const result = await formPage.tick('Calls').save();
    assert.notEqual(outcomes(result)['Calls'], 'saved');
    assert.equal(puts.get(identifier), undefined);
  });

  test('is not all that was chosen: what is on is not said to be off.', async () => {
    const identifier = 'forgetful@example.org';
    forgetful.add(identifier);
    const { visitor, formPage } = await arrive(identifier, JSON.parse(subjectFile(identifier, {})) as OnFile);
    formPage.tick('News').topic('News', 'Crime').option('News', 'Rhythm', 'Weekly').tick('Calls');
    // The record may only lag behind the answer: the page says so until it has been looked at for long enough.
    const page = await told(visitor, await formPage.save(), { News: 'to-check', Calls: 'saved' });
    assert.match(page.text, /We couldn’t confirm this, but it may be saved/);
    assert.equal(puts.get(identifier)?.length, 1);
  });

  test('may be a number where a text is usual: it is shown, and saved when it is another.', async () => {
    const identifier = 'number@example.org';
    const record = JSON.parse(subjectFile(identifier, {})) as OnFile;
    const { visitor, formPage } = await arrive(identifier, { ...record, DsDataElements: { Books: 42 } });
    assert.equal(formPage.form.valueOf(`element.${idOf('Books')}`), '42');
    await told(visitor, await formPage.type('Books', '43').save(), { Books: 'saved' });
  });
});
