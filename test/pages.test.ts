import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Pages } from '../src/pages/every-page.ts';
import type { Note } from '../src/pages/layout.ts';
import { createAssets } from '../src/web/assets.ts';
import { createToHtml } from '../src/web/render.ts';
import { around, type Element, readElements } from './kit/html.ts';
import { builtIn } from './samples/built.ts';
import { hostile, hostileText } from './samples/hostile.ts';
import { guardPage } from './samples/page-guard.ts';
import { samples } from './samples/pages.ts';

const root = join(import.meta.dirname, '..');
const viewsDir = join(root, 'views');
const assets = createAssets({ publicDir: join(root, 'public') });
const toHtml = createToHtml({ viewsDir, assets, development: guardPage });

interface Sample {
  readonly view: keyof Pages;
  readonly state: string;
  readonly page: Pages[keyof Pages];
}

const all: readonly Sample[] = Object.entries(samples).flatMap(([view, states]) =>
  Object.entries(states).map(([state, page]) => ({ view: view as keyof Pages, state, page })),
);

for (const { view, state, page } of all) {
  describe(`${view}, ${state}`, () => {
    const html = toHtml(view, page);
    const elements = readElements(html);
    const poisoned = toHtml(view, hostile(page));

    test('the page has one h1; its title begins with the h1, or with a mistake or an outcome before it', () => {
      const headings = named(elements, 'h1');
      assert.equal(headings.length, 1);
      const heading =
        'heading' in page && typeof page.heading === 'object' ? page.heading.text : page.layout.title;
      assert.equal(textOf(headings[0], elements), heading);
      const title = 'pageTitle' in page ? page.pageTitle : page.layout.title;
      const whole = named(elements, 'title')[0]?.text ?? '';
      const { name: brand } = page.layout.brand;
      assert.ok(whole === title || whole.startsWith(`${title} – `), whole);
      if (!/^(?:staff|mail)\//.test(view))
        assert.equal(whole.split(brand).length, 2, 'it names the brand once');
      // A title from right to left is isolated from the text before it.
      const bare = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');
      assert.ok(bare(title).endsWith(bare(page.layout.title)), title);
      const isMistaken = 'pageTitle' in page && page.mistakes.length > 0;
      const isSaved = 'pageTitle' in page && 'outcome' in page && page.outcome !== undefined;
      assert.equal(title !== page.layout.title, isMistaken || isSaved, title);
    });

    test('each control has a label', () => {
      const controls = elements.filter(({ name, attributes }) => {
        return ['input', 'select', 'textarea'].includes(name) && attributes.get('type') !== 'hidden';
      });
      const labelled = new Set(named(elements, 'label').map((label) => label.attributes.get('for')));
      for (const control of controls) {
        const id = control.attributes.get('id');
        const isInside = [...around(control)].some(
          ({ name, text }) => name === 'label' && text.trim() !== '',
        );
        assert.ok(isInside || (id !== undefined && labelled.has(id)), `${control.name} ${id}`);
      }
    });

    test('a form that posts has a token, in a field or its address, and a GET form has none', () => {
      const tokens = elements.filter(({ attributes }) => attributes.get('name') === 'token');
      for (const form of named(elements, 'form')) {
        const method = form.attributes.get('method');
        const inside = tokens.filter((token) => [...around(token)].includes(form));
        // Only lists of the staff have a GET form, which filters them.
        assert.ok(
          method === 'post' || (method === 'get' && view === 'staff/page'),
          `a form of the method ${method}`,
        );
        const addressed = /[?&]k=./.test(form.attributes.get('action') ?? '') ? 1 : 0;
        assert.equal(inside.length + addressed, method === 'post' ? 1 : 0);
        for (const token of inside) assert.notEqual(token.attributes.get('value'), '');
      }
    });

    test('each id stands once, and each reference to an id has its element', () => {
      const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);
      assert.deepEqual(ids, [...new Set(ids)]);
      for (const { attributes } of elements) {
        const references = ['for', 'aria-describedby', 'aria-labelledby'].flatMap((name) =>
          (attributes.get(name) ?? '').split(' ').filter((id) => id !== ''),
        );
        const href = attributes.get('href');
        if (href?.startsWith('#')) references.push(href.slice(1));
        for (const id of references) assert.ok(ids.includes(id), `nothing is called ${id}`);
      }
    });

    test('the page has no inline script or style, no script of another site, and no download', () => {
      for (const { name, attributes } of elements) {
        for (const attribute of attributes.keys()) {
          // A mail can load no stylesheet, so that its styles are inline.
          assert.doesNotMatch(attribute, view.startsWith('mail/') ? /^on/ : /^(style|download|on.*)$/);
        }
        if (name === 'script') assert.match(attributes.get('src') ?? '', /^\/assets\//);
        if (!view.startsWith('mail/')) assert.notEqual(name, 'style');
      }
    });

    test('the page states its language and direction', () => {
      const [html] = elements;
      assert.equal(html?.attributes.get('lang'), page.layout.lang);
      assert.equal(html?.attributes.get('dir'), page.layout.dir);
    });

    test('a hostile text is shown as text', () => {
      assert.ok(poisoned.includes('&lt;script&gt;alert(1)&lt;/script&gt;'), 'the text is on the page');
      assert.ok(!poisoned.includes(hostileText));
      assert.deepEqual(shape(readElements(poisoned)), shape(elements));
    });
  });
}

test('every view has samples, and every sample has a view', () => {
  const parts = ['layouts', 'partials', 'blocks', 'fields'];
  const folders = readdirSync(viewsDir).filter((folder) => !parts.includes(folder));
  const views = folders.flatMap((folder) => {
    return readdirSync(join(viewsDir, folder)).map((file) => `${folder}/${file.replace(/\.ejs$/, '')}`);
  });
  assert.deepEqual(views.sort(), Object.keys(samples).sort());
  assert.ok(views.length >= 7);
});

test('a template throws when it reads a required member that its model does not have', () => {
  const { isDone: _isDone, ...page } = samples['centers/result'].ordinary;
  assert.throws(() => toHtml('centers/result', page as Pages['centers/result']), /no member "isDone"/);
  const { save: _save, ...actions } = samples['centers/preferences'].ordinary.actions;
  const inside = { ...samples['centers/preferences'].ordinary, actions } as Pages['centers/preferences'];
  assert.throws(() => toHtml('centers/preferences', inside), /page\.actions has no member "save"/);
});

test('a list item has no direction of its own, so that its marker stays beside the list', () => {
  const named = { text: 'Offers', lang: 'en', dir: 'ltr' } as const;
  const result = builtIn('centers/result', 'ordinary', 'ar') as Pages['centers/result'];
  assert.ok(result.outcome.undo);
  const undo = { ...result.outcome.undo, leavesOut: [named] };
  const pages = [
    toHtml('centers/result', { ...result, outcome: { ...result.outcome, undo } }),
    ...all.flatMap(({ view, state }) => {
      const page = builtIn(view, state, 'ar');
      return page === undefined ? [] : [toHtml(view, page as Pages[typeof view])];
    }),
  ];
  assert.ok(pages.some((html) => html.includes('<li><span lang="en" dir="ltr">')));
  for (const html of pages) assert.doesNotMatch(html, /<li[^>]* dir=/);
});

test('a long German word of a note breaks by soft hyphens, in its title and its lines', () => {
  const word = 'Datenschutzeinstellungen';
  const notes: Note[] = [{ tone: 'info', title: word, lines: [word] }];
  for (const view of [
    'centers/preferences',
    'centers/result',
    'identity/sign-in',
    'record/verify',
  ] as const) {
    const page = builtIn(view, 'ordinary', 'de') as Pages[typeof view];
    const html = toHtml(view, { ...page, notes } as Pages[typeof view]).replaceAll('\u00ad', '|');
    const inside = '>Daten|schutz|einstellungen</p>';
    assert.equal(html.split(inside).length, 3, view);
  }
});

test('the HTML that is served is the HTML that is tested', () => {
  const served = createToHtml({ viewsDir, assets, development: undefined });
  for (const { view, page } of all) assert.equal(served(view, page), toHtml(view, page));
});

function named(elements: readonly Element[], name: string): readonly Element[] {
  return elements.filter((element) => element.name === name);
}

function textOf(heading: Element | undefined, elements: readonly Element[]): string | undefined {
  const image = elements.find(({ name, parent }) => name === 'img' && parent === heading);
  return image?.attributes.get('alt') ?? heading?.text;
}

/** The elements of a page with the names of their attributes, which no text may change. */
function shape(elements: readonly Element[]): readonly string[] {
  return elements.map(({ name, attributes }) => `${name} ${[...attributes.keys()].join(' ')}`);
}

test('a changed template is shown at once in development, and not in the product', () => {
  const copy = mkdtempSync(join(tmpdir(), 'sayso-views-'));
  try {
    cpSync(viewsDir, copy, { recursive: true });
    const renders = [guardPage, undefined].map((development) =>
      createToHtml({ viewsDir: copy, assets, development }),
    );
    const page = samples['start/plain'].ordinary;
    for (const render of renders) render('start/plain', page);
    for (const file of ['start/plain', 'layouts/person']) {
      const template = join(copy, `${file}.ejs`);
      writeFileSync(template, `${readFileSync(template, 'utf8')}<!-- changed ${file} -->`);
    }
    const [fresh = '', kept = ''] = renders.map((render) => render('start/plain', page));
    for (const file of ['start/plain', 'layouts/person']) {
      assert.ok(fresh.includes(`changed ${file}`), file);
      assert.ok(!kept.includes(`changed ${file}`), file);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
