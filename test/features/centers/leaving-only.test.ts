import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { outcomes, startFixture, undo } from './fixture.ts';
import { idOf, pageOf, sampleCenterFiles, school } from './sample-centers.ts';

/** The second page of the school: one section has an unknown condition, another has none. */
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

suite('A section with unknown conditions', { concurrency: false }, () => {
  const fixture = forSuite(() => startFixture({ files: withConditions() }));
  const path = pageOf(school, 'two');

  test('the section can only be left, says so, and no forged form switches it on', async () => {
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

  test('an undo says before its button that the section stays off, and withdraws the grant beside it', async () => {
    const person = await fixture.person(school, { Concerts: 'ACTIVE' });
    const result = await (await person.open(path)).untick('Concerts').tick('Letters').save();
    const before = /put back as they were:\s*<\/p>\s*<ul>\s*<li><span[^>]*>Concerts<[\s\S]*\/undo"/;
    assert.match(result.text, before);
    await undo(person, result);
    assert.deepEqual(await person.statuses(), { Concerts: 'WITHDRAWN', Letters: 'WITHDRAWN' });
  });

  test('the log names the condition once', () => {
    const lines = fixture.product.output().split('\n');
    assert.equal(lines.filter((line) => line.includes('conditionalRules')).length, 1);
  });
});
