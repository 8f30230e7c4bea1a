import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { recorded } from '../../upstream/recorded.ts';
import { assertHeading, outcomes } from '../centers/fixture.ts';
import { startOver } from '../centers/in-process.ts';
import { enhanced, john, multiPage, newcomer, startRecorded } from './recorded-platform.ts';

const marketing = 'f2229953-b4b5-4042-8cb9-b78038cc4c46';
const newsletter = 'da9f94d5-827d-4ae0-a794-ed4f5593326a';
const frequency = 'c4a57a38-3774-45ad-9fa4-dbc545542232';
const daily = 'ea0fc41b-b28a-4335-804c-44d1f0f782ef';
const firstName = 'element.0b1f0a52-6a2e-4a51-9a61-000000000002';
const born = 'element.0b1f0a52-6a2e-4a51-9a61-000000000003';

suite('Over the recorded payloads', { concurrency: false }, () => {
  const { platform, product } = forSuite(async () => startOver(await startRecorded()));

  async function arrive(center: string, identifier: string): Promise<Visitor> {
    const visitor = createVisitor(product.url);
    assert.equal((await visitor.get(await product.link({ center, identifier }))).status, 303);
    return visitor;
  }

  function assertSound(page: Answer, language: string): void {
    assert.equal(page.status, 200, `${textOf(page.text, 'h1')}`);
    assert.match(page.text, new RegExp(`<html lang="${language}`));
    assertHeading(page);
    assert.doesNotMatch(page.text, /undefined|\[object |Consent\.Ds\.Portal/);
  }

  const pages: readonly (readonly [
    center: string,
    name: string,
    texts: Readonly<Record<string, readonly string[]>>,
  ])[] = [
    [
      enhanced,
      'the ENHANCED center',
      {
        en: ['Marketing Communications', 'Car Marketing', 'Email Frequency', 'Weekly', 'Monthly newsletter'],
        fr: [
          'Communications marketing',
          'Marketing automobile',
          'Fréquence des e-mails',
          'Hebdomadaire',
          'Infolettre mensuelle',
        ],
      },
    ],
    [
      multiPage,
      'the Multi Page center',
      { en: ['Marketing Communications', 'Email Frequency'], fr: ['Communications marketing'] },
    ],
  ];
  for (const [center, name, texts] of pages) {
    for (const identifier of [john, newcomer]) {
      for (const [language, wanted] of Object.entries(texts)) {
        test(`${name} is rendered in ${language} for ${identifier === john ? 'a person on record' : 'a new person'}, with all its pages.`, async () => {
          const visitor = await arrive(center, identifier);
          for (const path of [
            '',
            '/unsubscribe',
            ...(center === multiPage ? ['/497c4383-2c61-4906-aed0-660e3fd03e01'] : []),
          ]) {
            const page = await visitor.open(`/centers/${center}${path}?lang=${language}`);
            assertSound(page, language);
            const main = textOf(page.text, 'main') ?? '';
            if (path === '') for (const text of wanted) assert.ok(main.includes(text), `${text} in ${main}`);
          }
        });
      }
    }
  }

  test('What a person on record chooses is saved, and goes out as the recorded request does.', async () => {
    const visitor = await arrive(enhanced, john);
    const page = await visitor.open(`/centers/${enhanced}?lang=fr`);
    const form = readForm(page.text);
    assert.ok(form.isTicked('purpose', marketing) && !form.isTicked('purpose', newsletter));
    assert.equal(form.valueOf(born), '1985-06-15');
    form.tick(`option.${marketing}.${frequency}`, daily).type(firstName, 'Jean').type(born, '1985-07-01');
    const result = await visitor.send(form, save);
    assertSound(result, 'fr');
    assert.equal(Object.keys(outcomes(result)).length, 3);
    assert.equal(new Set(Object.values(outcomes(result))).size, 1, 'all of them saved');
    assert.match(result.text, /64a9b83e-3aae-4e9f-b75e-5fbd01aecd85/, 'with the receipt');
    const [put] = platform.puts;
    assert.deepEqual(put?.dsDataElements, { 'First Name': 'Jean', 'Date of Birth': '07/01/1985' });
    const like = recorded('03_v1_put_request_seed_casing.json') as { Purposes: readonly object[] };
    const membersOf = (value: unknown) => Object.keys(value ?? {}).sort();
    assert.deepEqual(membersOf(put), membersOf(like));
    assert.deepEqual(membersOf(put?.Purposes[0]), membersOf(like.Purposes[0]));
  });

  test('A new person opts in on the Multi Page center.', async () => {
    const visitor = await arrive(multiPage, newcomer);
    const page = await visitor.open(`/centers/${multiPage}?lang=en`);
    const form = readForm(page.text).tick('purpose', marketing);
    const result = await visitor.send(form, save);
    assert.deepEqual(outcomes(result), { 'Marketing Communications': 'saved' });
  });

  test('Everything is left by the recorded DELETE.', async () => {
    const visitor = await arrive(multiPage, john);
    const page = await visitor.open(`/centers/${multiPage}/unsubscribe`);
    const result = await visitor.submit(page, () => undefined);
    assert.equal(outcomes(result)['Marketing Communications'], 'saved');
    assert.equal(platform.calls.filter(({ method }) => method === 'DELETE').length, 1);
  });

  test('A center and a page that the platform does not know are not found.', async () => {
    const unknown = '356129da-7441-498d-a0eb-a89da357d743';
    const visitor = await arrive(unknown, john);
    assert.equal((await visitor.get(`/centers/${unknown}`)).status, 404);
    const there = await arrive(multiPage, john);
    assert.equal((await there.get(`/centers/${multiPage}/${unknown}`)).status, 404);
  });
});
