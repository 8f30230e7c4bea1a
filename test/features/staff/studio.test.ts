import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { readElements } from '../../kit/html.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { enter, saidOn } from './fixture.ts';

const product = productOf();
const staff = forSuite(() => enter(product));

const open = (query: Record<string, string>, part = '') =>
  staff.open(
    `/staff/studio${part}?${new URLSearchParams({ center: books, accent: '#8a1c4a', radius: '6', font: '', mark: '', ...query })}`,
  );

describe('The theme studio', () => {
  test('the studio shows a real page in five lights at once, each in the look that is tried', async () => {
    const page = await open({});
    const frames = readElements(page.text).filter(({ name }) => name === 'iframe');
    assert.deepEqual(
      frames.map(({ attributes }) => attributes.get('title')),
      ['Light', 'Dark', 'Phone', 'Embedded', 'Mail'],
    );
    for (const { attributes } of frames) {
      const framed = await staff.open(attributes.get('src') ?? '');
      assert.equal(framed.status, 200);
      assert.match(String(framed.headers['content-security-policy']), /frame-ancestors 'self'/);
      const sheet = /href="(\/staff\/studio\/theme\.css[^"]*)"/.exec(framed.text)?.[1];
      if (attributes.get('title') === 'Mail') assert.match(framed.text, /#8a1c4a/);
      else {
        const { text } = await staff.open((sheet ?? assert.fail('no theme')).replaceAll('&amp;', '&'));
        assert.match(text, /--brand-accent:#8a1c4a;.*--brand-radius:6px/);
      }
    }
  });

  test('the studio measures each pair of colours, and shows a low one without refusing it', async () => {
    const text = async (accent: string) => {
      const page = await open({ accent });
      assert.equal(page.status, 200);
      return saidOn(page.text, 'contrast-block').join(' | ');
    };
    assert.match(await text('#8a1c4a'), /Accent on a card \| Fine \| 8\.9 \| #8a1c4a on #ffffff \| Light/);
    assert.match(await text('#f4d800'), /Accent on a card \| Too low \| 1\.4 \| #f4d800 on #ffffff \| Light/);
  });

  test('the studio gives the block for the centers file, with what is set and nothing else', async () => {
    const page = await open({ font: 'Georgia, serif' });
    const facts = saidOn(page.text, 'file-block').join(' ');
    assert.deepEqual(JSON.parse(/\{.*\}/.exec(facts)?.[0] ?? ''), {
      brand: { name: 'Harbour Books', accent: '#8a1c4a', radius: 6, font: 'Georgia, serif' },
    });
  });

  for (const [field, value] of [
    ['accent', 'red;} body{display:none'],
    ['radius', '40'],
    ['font', 'x;} body{display:none'],
    ['mark', 'http://example.org/logo.png'],
  ] as const) {
    test(`the studio names a wrong ${field}, and no look has it`, async () => {
      const page = await open({ [field]: value });
      assert.equal(page.status, 422);
      assert.match(page.text, new RegExp(`href="#${field}"`));
      const { text } = await open({ [field]: value }, '/theme.css');
      assert.ok(!text.includes(value) && !/display|40px/.test(text), text);
    });
  }

  test('the mail look has styles of its own and nothing else: no script, and no form that is sent', async () => {
    const policy = String((await open({ look: 'mail' }, '/page')).headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /form-action 'none'/);
    assert.doesNotMatch(policy, /script-src/);
    const { headers } = await open({ look: 'light' }, '/page');
    assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/);
  });
});
