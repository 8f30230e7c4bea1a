import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { outcomes, startFixture, undo } from './fixture.ts';
import { idOf, pageOf, sampleCenterFiles, school } from './sample-centers.ts';

/** The second page of the school, whose section has a condition that is not understood, and one beside it. */
function withConditions(): Record<string, string> {
  const path = `platform/centers/${school}/pages/${idOf(`${school} two`)}.json`;
  const page = JSON.parse(sampleCenterFiles()[path] ?? '');
  const [section] = page.sections;
  const letters = { ...section.purposes[0], id: idOf('Letters'), languages: [], label: 'Letters' };
  page.sections = [
    { ...section, conditionalRules: [{ operator: 'EQUALS' }] },
    { ...section, id: idOf('beside it'), purposes: [letters] },
  ];
  return { [path]: JSON.stringify(page) };
}

suite('A section whose conditions are not understood', { concurrency: false }, () => {
  const fixture = forSuite(() => startFixture({ files: withConditions() }));
  const path = pageOf(school, 'two');

  test('is rendered for leaving only, says so, and is switched on by no forged form.', async () => {
    const person = await fixture.person(school, { Concerts: 'ACTIVE' });
    const formPage = await person.open(path);
    const open = formPage.form.controls.filter(({ name, disabled }) => name === 'purpose' && !disabled);
    assert.deepEqual(
      open.map(({ value }) => value),
      ['Concerts', 'Letters'].map(idOf),
    );
    assert.match(formPage.page.text, /You can turn this off here, but not on/);
    const saved = await formPage.tick('Letters').save({
      change: (fields) => [...fields, ['purpose', idOf('Sales')]],
    });
    assert.equal(outcomes(saved)['Letters'], 'saved');
    assert.deepEqual(await person.statuses(), { Concerts: 'ACTIVE', Letters: 'ACTIVE' });
  });

  test('is left for good: an undo says so before its button, and takes back what was granted beside it.', async () => {
    const person = await fixture.person(school, { Concerts: 'ACTIVE' });
    const result = await (await person.open(path)).untick('Concerts').tick('Letters').save();
    const before = /put back as they were:\s*<\/p>\s*<ul>\s*<li><span[^>]*>Concerts<[\s\S]*\/undo"/;
    assert.match(result.text, before);
    await undo(person, result);
    assert.deepEqual(await person.statuses(), { Concerts: 'WITHDRAWN', Letters: 'WITHDRAWN' });
  });

  test('is told in the log once.', () => {
    const lines = fixture.product.output().split('\n');
    assert.equal(lines.filter((line) => line.includes('conditionalRules')).length, 1);
  });
});
