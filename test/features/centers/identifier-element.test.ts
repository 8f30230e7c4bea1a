import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { type FormPage, outcomes, startFixture, undo } from './fixture.ts';
import { idOf, sampleCenterFiles, school, shop } from './sample-centers.ts';

const element = (name: string, more: object = {}) => ({
  id: idOf(name),
  name,
  order: 9,
  hidden: false,
  readOnly: false,
  displayAs: 'NONE',
  dataElementType: 'EMAIL',
  languages: [],
  dataElementOptions: [],
  ...more,
});

/** The first page of the school, with two elements; the shop has them already. */
function withElements(): Record<string, string> {
  const path = `platform/centers/${school}/pages/${idOf(`${school} one`)}.json`;
  const page = JSON.parse(sampleCenterFiles()[path] ?? '');
  page.sections[0].customDataElements = [element('Email', { isIdentifier: true }), element('Second Email')];
  return { [path]: JSON.stringify(page) };
}

const field = (name: string) => `element.${idOf(name)}`;
const isOffered = ({ form }: FormPage, name: string) =>
  form.controls.some((control) => control.name === field(name) && !control.disabled);

suite('The identifier of a person', { concurrency: false }, () => {
  let people = 0;
  const fixture = forSuite(() => startFixture({ files: withElements() }));

  for (const [family, center] of [
    ['a single page', shop],
    ['Multi Page', school],
  ] as const)
    suite(`in ${family}`, () => {
      test('is locked where the center marks it and where it is the value, in capitals and with nothing on record too.', async () => {
        for (const [email, write] of [
          [{ Email: 'other@example.org' }, (identifier: string) => identifier],
          [{}, (identifier: string) => identifier.toUpperCase()],
        ] as const) {
          people += 1;
          const identifier = `locked.${people}@example.org`;
          const elements = { ...email, 'Second Email': write(identifier) };
          const person = await fixture.person(center, { Sales: 'ACTIVE' }, { identifier, elements });
          const page = await person.open();
          for (const name of ['Email', 'Second Email']) {
            assert.equal(isOffered(page, name), false);
            const change = (fields: [string, string][]): [string, string][] => [
              ...fields,
              [field(name), 'thief@example.org'],
            ];
            const posted = await page.save({ change });
            assert.equal(posted.status, 422);
            assert.match(posted.text, /Email: this can’t be changed here/);
          }
          assert.deepEqual(await person.writes(), []);
          assert.deepEqual(await person.elements(), elements);
        }
      });

      test('is typed over another value, is locked from then on, and is not undone.', async () => {
        const elements = { 'Second Email': 'old@example.org' };
        const person = await fixture.person(center, { Sales: 'ACTIVE' }, { elements });
        const result = await (await person.open()).type('Second Email', 'new@example.org').save();
        assert.deepEqual(outcomes(result), { 'Second Email': 'saved' });
        assert.deepEqual(await person.elements(), { 'Second Email': 'new@example.org' });
        const purpose = center === shop ? 'Letters' : 'Term letter';
        const page = (await person.open()).tick(purpose).type('Second Email', person.identifier);
        const locked = await page.save();
        assert.deepEqual(new Set(Object.values(outcomes(locked))), new Set(['saved']));
        assert.equal(isOffered(await person.open(), 'Second Email'), false);
        await undo(person, locked);
        assert.equal((await person.statuses())[purpose], 'WITHDRAWN');
        assert.deepEqual(await person.elements(), { 'Second Email': person.identifier });
      });
    });
});
