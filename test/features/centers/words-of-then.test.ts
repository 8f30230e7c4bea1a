import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createRemoteJWKSet, type FlattenedJWSInput, flattenedVerify } from 'jose';
import { request } from 'undici';
import type { RecordCopy } from '../../../src/core/model/evidence/record-copy.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm, readForms, save } from '../../kit/form.ts';
import { carryOut, planMoves } from '../../kit/moves.ts';
import { oneClick } from '../../kit/one-click.ts';
import { startProduct } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { enter, findPerson, pressAbout } from '../staff/fixture.ts';
import { startFixture, undo } from './fixture.ts';
import { idOf, shop, singlePage } from './sample-centers.ts';

const fixture = forSuite(startFixture);

/** Restarts the product with a changed schema at the platform. */
async function reworded(change: (text: string) => string): Promise<void> {
  await fixture.product.stop();
  const file = join(fixture.folder, 'centers', shop, 'preferences.json');
  writeFileSync(file, change(JSON.stringify(singlePage())));
  await fixture.product.start();
}

/** Verifies a copy like a foreign program: with the published key set and schema. */
async function verified(text: string, url: string): Promise<RecordCopy> {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', url));
  const signed = JSON.parse(text) as FlattenedJWSInput;
  const { payload } = await flattenedVerify(signed, keys, { algorithms: ['EdDSA'] });
  const copy: unknown = JSON.parse(new TextDecoder().decode(payload));
  const answer = await request(`${url}/.well-known/sayso/record.schema.json`);
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile((await answer.body.json()) as object);
  assert.ok(validate(copy), JSON.stringify(validate.errors, undefined, 1));
  return copy as RecordCopy;
}

/** The verified record of a person in a center, once no entry is pending. */
const copyOf = (visitor: Visitor, center = shop, url = fixture.product.url) =>
  until(async () => {
    const { text } = await visitor.get(`/centers/${center}/record.json?lang=en`);
    const copy = await verified(text, url);
    return copy.records.every((each) => each['sayso:state'] !== 'pending') && copy;
  });

/** Id of a notice that the demo tenant has. */
const newsletterNotice = '0071ce00-0000-4001-8000-000000000500';

const typesOf = ({ events }: RecordCopy['records'][number]) =>
  events.map(({ event_type: type }) => type).filter((type) => type.startsWith('dpv:'));

suite('A record of consent', () => {
  test('the record keeps the wording of its time after the platform has changed all of it', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const page = (await person.open()).tick('News').topic('News', 'Poetry').untick('Calls');
    const result = await page.option('News', 'Rhythm', 'Weekly').save();
    assert.equal(result.status, 200);
    await reworded((text) =>
      text
        .replaceAll('"News"', '"News from us and 214 partners"')
        .replaceAll('"Poetry"', '"Poetry and gambling"')
        .replaceAll('"Weekly"', '"Hourly"')
        .replaceAll('"The shop"', '"Another shop"'),
    );
    const { visitor } = await person.again();
    const record = await visitor.get(`/centers/${shop}/record?lang=en`);
    assert.match(record.text, /<span class="name">News<\/span> <span class="move">Off .*→.* On<\/span>/);
    assert.match(record.text, /<li><span>Poetry<\/span> .*→.* On<\/li>/);
    assert.match(record.text, /<li><span>Rhythm: Weekly<\/span> .*→.* On<\/li>/);
    assert.match(record.text, /Today this is called “News from us and 214 partners”\./);
    assert.match(record.text, /The shop[^“]*Today this is called “Another shop”\./);
    assert.match(record.text, /<span class="name">Calls<\/span> <span class="move">On .*→.* Off<\/span>/);
    assert.doesNotMatch(record.text, /Today this is called “Calls”/);
    const french = await visitor.get(`/centers/${shop}/record?lang=fr`);
    assert.match(french.text, /<span class="name" lang="en">News<\/span>/, 'in the language that was shown');

    const staff = await enter(fixture.product);
    const list = await staff.open('/staff/submissions');
    assert.match(list.text, /News on, \+1 more/, 'staff read the words of then, too');
    assert.doesNotMatch(list.text, /214 partners/);

    const copy = await copyOf(visitor);
    const [entry] = copy.records;
    assert.ok(entry);
    assert.equal(copy['sayso:center'].title, 'Another shop');
    assert.deepEqual(
      [entry['sayso:title'], entry.language, entry['sayso:words'], entry['sayso:template']],
      ['The shop', 'en', 'form', 'enhanced'],
    );
    const news = entry.purposes.find((each) => each['sayso:id'] === idOf('News'));
    assert.deepEqual(
      [news?.purpose, news?.['sayso:version'], news?.['sayso:from'], news?.['sayso:change']],
      ['News', 1, 'off', 'on'],
    );
    const rhythm = { id: idOf('Rhythm'), name: 'Rhythm' };
    assert.deepEqual(news?.['sayso:choices'], [
      { kind: 'topic', id: idOf('Poetry'), name: 'Poetry', to: 'on' },
      { kind: 'option', id: idOf('Weekly'), name: 'Weekly', preference: rhythm, to: 'on' },
    ]);
    assert.deepEqual(typesOf(entry).toSorted(), ['dpv:ConsentGiven', 'dpv:ConsentWithdrawn']);
  });

  test('the record names the channel and the source of the wording', async () => {
    await reworded((text) => text);
    const person = await fixture.person(shop, { Calls: 'ACTIVE', News: 'ACTIVE' });
    const { visitor } = person;
    const changed = await (await person.open()).tick('Letters').save();
    await undo(person, changed);
    await oneClick(fixture.product, person.identifier, idOf('Calls'), shop);
    const objecting = createVisitor(fixture.product.url, { 'sec-gpc': '1' });
    const link = await fixture.product.link({ center: shop, identifier: person.identifier });
    const shown = await objecting.open(link);
    const form = readForms(shown.text).find(({ action }) => action.split('?')[0]?.endsWith(shop));
    await objecting.press((form ?? assert.fail('no form')).untick('purpose', idOf('News')), save);
    const copy = await copyOf(visitor);
    const actual = copy.records.map((each) => [
      ...[each['sayso:channel'], each['sayso:words'], each['sayso:globalPrivacyControl']],
      ...[each.purposes.map(({ purpose }) => purpose).join(), typesOf(each).join()],
    ]);
    assert.deepEqual(actual, [
      ['link', 'form', true, 'News', 'dpv:ConsentWithdrawn'],
      ['one-click', 'not-read', false, 'Calls', 'dpv:ConsentWithdrawn'],
      ['link', 'undone', false, 'Letters', 'dpv:ConsentWithdrawn'],
      ['link', 'form', false, 'Letters', 'dpv:ConsentGiven'],
    ]);
    assert.equal(copy.records[2]?.['sayso:undoes'], copy.records[3]?.record_id);
    assert.equal(copy.records[3]?.['sayso:undoneBy'], copy.records[2]?.record_id);
    const record = await visitor.get(`/centers/${shop}/record?lang=en`);
    assert.match(record.text, /Shown with today’s names\./);
    assert.match(record.text, /Global Privacy Control/);
    const expected = `<a href="#${copy.records[2]?.record_id}">Undone at <time`;
    assert.ok(record.text.includes(expected));
  });

  test('the record is right for a waiting, a replaced and a staff change', async () => {
    await reworded((text) => text);
    const { sandbox } = fixture.product;
    const person = await fixture.person(shop, { News: 'PENDING', Calls: 'PENDING' });
    const { identifier } = person;
    // Double opt-in: the platform accepts the grant, and asks the person to confirm.
    await sandbox.addFault({ kind: 'ignore', operation: 'update-subject', identifier, count: 1 });
    await (await person.open()).tick('Calls').save();
    // A grant that waits is overtaken by a withdrawal.
    await sandbox.addFault({ kind: '429', operation: 'update-subject', retryAfter: 1 });
    await (await (await person.again()).open()).tick('Letters').post();
    const staff = await enter(fixture.product);
    const found = await findPerson(staff, identifier, shop);
    const asked = await pressAbout(staff, found, { action: 'choose', center: shop });
    const form = readForm(asked.text, /^\/staff\/people\/withdraw$/);
    const all = form.choose('what', 'everything').type('reason', 'Called on Monday');
    assert.equal((await staff.press(all)).status, 303);
    await sandbox.clearFaults();
    const copy = await copyOf((await person.again()).visitor);
    const actual = copy.records.map((each) => [
      ...[each['sayso:channel'], each['sayso:words'], each['sayso:onBehalf']?.reason],
      each.purposes
        .filter(({ purpose }) => ['News', 'Calls', 'Letters'].includes(purpose))
        .map((of) => [of.purpose, of['sayso:change'], of['sayso:outcome']].join(' ')),
    ]);
    assert.deepEqual(actual, [
      ['staff', 'center', 'Called on Monday', ['News off saved', 'Calls off saved', 'Letters off saved']],
      ['link', 'form', undefined, ['Letters on replaced']],
      ['link', 'form', undefined, ['Calls on waiting']],
    ]);
    assert.deepEqual(typesOf(copy.records[2] ?? assert.fail()), ['dpv:ConsentRequested']);
  });
});

test('The controller, its contact and the notice in force are kept with what was agreed to', async () => {
  const center = books;
  const about = { address: 'books', center, noticeId: newsletterNotice };
  const named = { ...about, controller: 'Harbour Books Ltd', rightsContact: 'privacy@harbour.example' };
  await using product = await startProduct({ centers: [named] });
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  const link = await product.link({ center: 'books', identifier: 'anna@example.org' });
  await visitor.submit(await visitor.open(link), (form) => carryOut(planMoves(form), form), save);
  // The centers file has another controller by now.
  writeFileSync(
    join(product.home, 'centers.json'),
    JSON.stringify([{ address: 'books', center, controller: 'Somebody Else' }]),
  );
  await product.stop();
  await product.start();
  const again = createVisitor(product.url, { 'accept-language': 'en' });
  await again.open(await product.link({ center: 'books', identifier: 'anna@example.org' }));
  const [entry] = (await copyOf(again, 'books', product.url)).records;
  const party = { party_name: 'Harbour Books Ltd', party_contact: 'privacy@harbour.example' };
  assert.deepEqual(entry?.party, [{ party_role: 'dpv:DataController', ...party }]);
  assert.equal(entry?.privacy_notice, newsletterNotice);
  const notice = entry?.['sayso:notice'];
  assert.match(notice?.name ?? '', /^Newsletter notice/);
  const record = await again.get('/centers/books/record');
  assert.ok(record.text.includes(`Privacy notice: ${notice?.name} (`), record.text);
});
