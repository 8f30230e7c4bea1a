import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { save } from '../../kit/form.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { outcomes, shows, startFixture } from '../centers/fixture.ts';
import { idOf, school } from '../centers/sample-centers.ts';

type Files = Readonly<Record<string, unknown>>;

const purpose = (name: string, more: object = {}) => ({
  Id: idOf(name),
  Label: name,
  Status: 'ACTIVE',
  ...more,
});
const single = (more: object) => ({
  'preferences.json': { Status: 200, Language: 'en', Languages: ['en'], Template: 'ENHANCED', ...more },
});

const thousand = idOf('odd thousand');
const repeated = idOf('odd twice');
const dotted = idOf('odd dots');
const centers: Readonly<Record<string, Files>> = {
  [dotted]: single({
    Purposes: [
      purpose('Dotted', {
        Id: 'news.daily',
        Topics: [{ Id: 't.1', Name: 'Topic' }],
        CustomPreferences: [{ Id: 'how.often', Name: 'How', Options: [{ Id: 'o.1', Label: 'Often' }] }],
      }),
    ],
  }),
  [thousand]: single({
    Purposes: Array.from({ length: 1_000 }, (_, place) =>
      purpose(`Purpose ${place}`, {
        Topics: topicsOf(place).map((topic) => ({ Id: idOf(topic), Name: 'Topic' })),
      }),
    ),
  }),
  // The same ids several times; test/upstream/wires.test.ts holds other odd schemas.
  [repeated]: single({
    Purposes: [
      purpose('Once', {
        Topics: [
          { Id: idOf('T'), Name: 'Topic' },
          { Id: idOf('T'), Name: 'Topic again' },
        ],
        CustomPreferences: [1, 2].map((time) => ({
          Id: idOf('C'),
          Name: `Choice ${time}`,
          Options: [
            { Id: idOf('O'), Label: 'Option' },
            { Id: idOf('O'), Label: 'Option again' },
          ],
        })),
      }),
      purpose('Once', { Label: 'Twice' }),
      purpose('Other', { Topics: [{ Id: idOf('T'), Name: 'Topic of the other' }] }),
    ],
    ProfileSettings: {
      IsEnabled: true,
      DataElements: [1, 2].map((time) => ({ Id: idOf('E'), Label: `Element ${time}` })),
    },
  }),
};

function topicsOf(place: number): readonly string[] {
  return [0, 1, 2, 3, 4, 5].map((number) => `Topic ${place}.${number}`);
}

function inFolder(centers: Readonly<Record<string, Files>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(centers).flatMap(([id, files]) =>
      Object.entries(files).map(([name, content]) => [
        `platform/centers/${id}/${name}`,
        typeof content === 'string' ? content : JSON.stringify(content),
      ]),
    ),
  );
}

suite('A sandbox folder with unusual centers', { concurrency: false }, () => {
  const subjects = `platform/centers/${repeated}/subjects`;
  const fixture = forSuite(() =>
    startFixture({
      files: {
        ...inFolder(centers),
        [`${subjects}/a%2Fb%40example.org.json`]: `\uFEFF${JSON.stringify({ Purposes: [] })}`,
        [`${subjects}/broken.json`]: '{',
        [`${subjects}/%E2%84%AAate@example.org.json`]: '{"Purposes": []}',
        [`platform/centers/${repeated}/people.json`]: '{"people": [null, {}, {"identifier": 7}]}',
        'platform/centers/no-guid/preferences.json': '{}',
        'platform/centers/stray.txt': 'stray',
        'platform/stray.json': 'stray',
      },
    }),
  );

  test('a center with repeated ids has each control once', async () => {
    const person = await fixture.person(repeated, undefined);
    const { form } = await person.open();
    assert.equal(form.controls.filter(({ name }) => name === 'purpose').length, 2);
    const ids = form.controls.flatMap(({ id }) => id ?? []);
    assert.equal(new Set(ids).size, ids.length);
  });

  test('the log counts people whose identifiers cannot be used', () => {
    assert.match(fixture.product.output(), /Sandbox: 1 of its people cannot be opened; use 1 to 512 bytes/);
  });

  test('a form of a thousand purposes with six topics each is accepted on its page from its person only', async () => {
    const everything = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, place) => [
        `Purpose ${place}`,
        { status: 'ACTIVE', topics: topicsOf(place) },
      ]),
    );
    const person = await fixture.person(thousand, everything);
    const whole = await person.open();
    const { fields } = whole.form.press(save);
    assert.ok(fields.length > 6_000, `${fields.length} fields`);
    const { length } = new URLSearchParams(fields).toString();
    assert.ok(length > 600_000, `${length} bytes, above the usual limit of a form`);
    const result = await whole.untick('Purpose 500').topic('Purpose 999', 'Topic 999.0', false).save();
    await shows(person.visitor, result, { 'Purpose 500': 'saved', 'Purpose 999': 'saved' });
    const statuses = Object.values(await person.statuses());
    assert.equal(statuses.filter((status) => status === 'ACTIVE').length, 999);
    assert.equal((await person.statuses())['Purpose 500'], 'WITHDRAWN');

    const more = (size: number) => ({
      change: (sent: [string, string][]) => [...sent, ['x', 'x'.repeat(size)]] as [string, string][],
    });
    assert.equal((await whole.post(more(4_000_000))).status, 413);
    const stranger = createVisitor(fixture.product.url);
    const small = await fixture.person(school, {});
    assert.equal((await stranger.post(`/centers/${thousand}`, fields)).status, 401);
    assert.equal((await small.visitor.post(`/centers/${school}`, fields)).status, 413);
  });

  test('a purpose, topic and option whose ids have dots can be saved', async () => {
    const person = await fixture.person(dotted, {});
    const formPage = await person.open();
    formPage.form.tick('purpose', 'news.daily').tick('topic.news.daily', 't.1');
    formPage.form.tick('option.news.daily.how.often', 'o.1');
    assert.deepEqual(outcomes(await formPage.save()), { Dotted: 'saved' });
    assert.deepEqual(await person.chosen('news.daily'), ['o.1', 't.1']);
  });
});
