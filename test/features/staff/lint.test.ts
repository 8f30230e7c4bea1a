import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unbranded } from '../../../src/core/model/center/brand.ts';
import type { Center, Text } from '../../../src/core/model/center/center.ts';
import { Problem } from '../../../src/core/model/problem.ts';
import { buildCenterPage } from '../../../src/features/staff/center.ts';
import {
  type Finding,
  type FindingCode,
  type FindingKind,
  findingWords,
  weightOf,
  whatOf,
} from '../../../src/features/staff/finding-words.ts';
import { lintCenter, stepsOf } from '../../../src/features/staff/lint.ts';
import { listed } from '../../../src/features/staff/page.ts';
import { faultNote } from '../../../src/features/staff/plain.ts';
import { aCenter, aPreference, aPurpose } from '../../core/center-builder.ts';
import { html } from '../../core/page-builder.ts';

/** A text in these languages, none of them the default. */
function textIn(texts: Readonly<Record<string, string>>): Text {
  const entries = Object.entries(texts).map(([language, text]) => ({ language, text, isDefault: false }));
  return { entries, plain: undefined };
}

const both = textIn({ 'en-us': 'News', fr: 'Nouvelles' });

function found(center: Center, kind: FindingKind) {
  return lintCenter(center, undefined).filter(({ code }) => findingWords[code].kind === kind);
}

describe('The linter', () => {
  test('the linter finds nothing in a text of every language or a sibling of it, or in a hidden purpose', () => {
    const center = aCenter([aPurpose('p', { name: both })]);
    for (const kind of ['translation', 'empty-label', 'unsafe-html', 'unread', 'contrast'] as const)
      assert.deepEqual(found(center, kind), [], kind);
    for (const change of [
      { name: textIn({ en: 'News', 'fr-CA': 'Nouvelles' }) },
      { name: textIn({ fr: 'x' }), active: false },
    ])
      assert.deepEqual(found(aCenter([aPurpose('p', change)]), 'translation'), []);
  });

  test('the linter names each language in which an item has no text, and what is shown instead', () => {
    const name = textIn({ 'en-us': 'News' });
    const preference = aPreference('q', ['o'], { name, options: [{ id: 'o', name, isDefault: false }] });
    const center = aCenter([aPurpose('p', { name, preferences: [preference] })]);
    const missing = found(center, 'translation');
    const places = missing.map(({ language, where }) => `${language}: ${where}`);
    assert.deepEqual(places, [
      'fr: Purpose “News”',
      'fr: Preference “News” of “News”',
      'fr: Preference “News” of “News”, option “News”',
    ]);
    assert.match(missing[0] ? whatOf(missing[0]) : '', /people see the text in en-US instead/i);
  });

  test('the linter finds names without any text, and empty translations', () => {
    const [nothing] = found(aCenter([aPurpose('p')]), 'empty-label');
    assert.equal(nothing?.code, 'no-text');
    const description = html({ 'en-us': 'About', fr: '<p> </p>' });
    const [blank] = found(aCenter([aPurpose('p', { name: both, description })]), 'empty-label');
    assert.deepEqual([blank?.code, blank?.language], ['empty-translation', 'fr']);
    assert.equal(blank?.where, 'Purpose “News”, description');
  });

  test('the linter tells removed HTML from parts that could not be read', () => {
    const center = aCenter([], {
      unread: [
        { code: 'html-removed', words: 'In a description: <script> was taken out' },
        { code: 'no-name', words: 'A topic of “News” has no name' },
        // The code decides, not the end of the words.
        { code: 'left-out', words: 'A purpose that has no name' },
      ],
    });
    assert.equal(found(center, 'unsafe-html').length, 1);
    assert.equal(found(center, 'unread').length, 1);
    assert.equal(found(center, 'empty-label').length, 1);
  });

  test('the linter names each member that is not honoured, and what happens instead', () => {
    const words = 'opens the section for leaving only';
    const [path, template] = ['page schema: sections[0].conditionalRules', 'single-page schema: Template'];
    const told = [
      { verdict: 'told', path, value: undefined, words, count: 2 },
      { verdict: 'refused', path: template, value: 'X', words: 'is not known', count: 1 },
    ] as const;
    const findings = found(aCenter([], { told }), 'not-honoured');
    const lines = findings.map((finding) => `${weightOf(finding)}: ${whatOf(finding)}`);
    assert.deepEqual(lines, [
      `warning: ${path} (2 times) opens the section for leaving only.`,
      `problem: ${template} = X is not known.`,
    ]);
  });

  test('the linter measures the contrast of a brand', () => {
    const brand = { ...unbranded, accent: '#ffff00' };
    const ofBrand = lintCenter(aCenter([]), brand).filter(({ code }) => code === 'brand');
    assert.ok(ofBrand.map(weightOf).includes('problem'));
  });

  test('the linter counts the steps to grant and to withdraw, with the buttons of the page for all', () => {
    for (const [purposes, subscribeAll, unsubscribeAll, grant, withdraw, weight] of [
      [3, false, false, 4, 4, undefined],
      [3, false, true, 4, 2, undefined],
      [3, true, false, 2, 4, 'problem'],
      [3, true, true, 2, 2, undefined],
      [1, true, false, 2, 2, undefined],
      [0, true, false, 1, 1, undefined],
    ] as const) {
      const plain = aCenter(Array.from({ length: purposes }, (_, at) => aPurpose(`p${at}`, { name: both })));
      const pages = plain.pages.map((page) => ({ ...page, subscribeAll, unsubscribeAll }));
      assert.deepEqual(pages[0] && stepsOf(pages[0]), { grant, withdraw });
      assert.equal(found({ ...plain, pages }, 'withdrawal').map(weightOf)[0], weight);
    }
  });
});

describe('The page of a center', () => {
  const pageOf = (findings: readonly Finding[], kind = '', language = '') =>
    listed(
      buildCenterPage({
        center: aCenter([]),
        centerConfig: undefined,
        findings,
        filter: { kind, language, page: 0 },
      }).blocks,
    );
  const finding = (code: FindingCode, language: string, at: number): Finding => ({
    code,
    language,
    where: `Purpose ${at}`,
    said: { shown: 'the label' },
  });
  const findings = (count: number, code: FindingCode, language: string) =>
    Array.from({ length: count }, (_, at) => finding(code, language, at));
  const many = [
    ...[findings(3, 'no-label', 'it'), findings(41, 'not-translated', 'it')],
    ...[findings(2, 'not-translated', 'fr'), findings(1, 'left-out', 'it')],
  ].flat();

  test('the page has one line for each kind in each language, problems first, then the most frequent', () => {
    const [block] = pageOf(many);
    assert.ok(block?.kind === 'findings');
    const groups = block.groups.map(({ weight, title, language, count, items, all }) => {
      return [weight.text, title, language, count, items.length, all ? all.label : undefined];
    });
    assert.deepEqual(groups, [
      ['Problem', 'Could not be read', 'Italiano (it)', 1, 1, undefined],
      ['Warning', 'Missing translation', 'Italiano (it)', 41, 20, 'All 41 of them'],
      ['Warning', 'Missing translation', 'Français (fr)', 2, 2, undefined],
      ['Note', 'General label missing', 'Italiano (it)', 3, 3, undefined],
    ]);
    const advice = /^It is not translated; people see the label instead\. Add the/;
    assert.match(block.groups[1]?.advice ?? '', advice);
  });

  test('the page lists one kind, in one language or all, where the address asks for it', () => {
    const rows = (language: string) =>
      pageOf(many, 'translation', language).find((block) => block.kind === 'table')?.rows.length;
    assert.deepEqual(['', 'it', 'fr'].map(rows), [43, 41, 2]);
  });

  test('the page of findings is bounded, however many languages a center has', () => {
    const lines = Array.from({ length: 500 }, (_, at) => finding('not-translated', `l${at}`, at));
    const [block] = pageOf(lines);
    assert.ok(block?.kind === 'findings');
    assert.equal(block.groups.length, 60);
    assert.match(block.about || '', /60 gravest of 500/);
  });
});

describe('A task whose writing failed', () => {
  test('the page says that a task may exist where the answer was lost, and else that it does not', () => {
    for (const [code, answerLost, says] of [
      ['platform-refused', false, /did nothing/],
      ['platform-denied', false, /Nothing was done/],
      ['platform-unreachable', false, /Nothing was done/],
      ['platform-slow', false, /Nothing was done/],
      ['platform-unreadable', true, /the answer to it was lost/],
      ['platform-unreachable', true, /the answer to it was lost/],
      ['platform-slow', true, /the answer to it was lost/],
    ] as const) {
      const { title, lines } = faultNote(new Problem(code, { answerLost }), 'create');
      assert.equal(/It is not known whether the task was created/.test(title), answerLost, code);
      assert.match(lines.join(' '), says);
    }
  });
  for (const [seconds, wait] of [
    [2, '2 seconds'],
    [3_600, '60 minutes'],
  ] as const) {
    test(`the page after a limit of ${seconds} s says to wait ${wait}`, () => {
      const note = faultNote(new Problem('platform-busy', { retryAfter: seconds }), 'create');
      assert.match(note.lines.join(' '), new RegExp(`nothing that you typed is lost.* ${wait}:`));
    });
  }
});
