import type { Center } from '../../core/model/center.ts';
import type { CenterConfig } from '../../core/model/center-config.ts';
import { languageName } from '../../i18n/language.ts';
import { pageName } from '../person/layout.ts';
import { cell, facts, options, select, staffPage, table, tag } from './blocks.ts';
import { centerHref, named, servedWords } from './center-list.ts';
import type { Block, FormBlock, StaffPage, Tone } from './every-page.ts';
import type { StaffPageContext } from './layout.ts';
import { type Finding, type FindingKind, stepsOf } from './lint.ts';
import { buildPager, pagingOf, withQuery } from './paging.ts';
import { previewStates } from './preview.ts';

export interface FindingFilter {
  /** A FindingKind; empty for all. */
  readonly kind: string;
  /** A language of the center; empty for all. */
  readonly language: string;
  readonly page: number;
}

export interface CenterPageInput {
  readonly center: Center;
  readonly name: string;
  readonly centerConfig: CenterConfig | undefined;
  /** Addresses whose brands a preview may wear. */
  readonly brands: readonly CenterConfig[];
  readonly findings: readonly Finding[];
  readonly filter: FindingFilter;
}

const kindNames: Readonly<Record<FindingKind, string>> = {
  translation: 'Missing translation',
  'empty-label': 'Empty text',
  'unsafe-html': 'Unsafe HTML removed',
  unread: 'Could not be read',
  'general-label': 'General label missing',
  contrast: 'Contrast and brand',
  withdrawal: 'Steps to withdraw',
};

const weights: Readonly<Record<Finding['weight'], readonly [string, Tone]>> = {
  problem: ['Problem', 'problem'],
  warning: ['Warning', 'warning'],
  note: ['Note', 'neutral'],
};

const onOnePage = 50;

/** A center: what it is, what is wrong with it, and how its pages look. */
export function buildCenterPage(pageContext: StaffPageContext, input: CenterPageInput): StaffPage {
  const { center, name, findings } = input;
  const problems = findings.filter((finding) => finding.weight === 'problem').length;
  return staffPage(pageContext, {
    title: name,
    section: 'centers',
    crumbs: [{ href: '/staff/centers', label: 'Preference centers' }],
    notes: [
      {
        tone: problems > 0 ? 'problem' : findings.length > 0 ? 'info' : 'success',
        title:
          findings.length === 0
            ? 'Nothing is missing or wrong in this center'
            : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}, ${problems} of them ${problems === 1 ? 'a problem' : 'problems'}`,
        lines: [],
        receipt: undefined,
      },
    ],
    blocks: [aboutCenter(input), previewForm(input), summary(input), ...findingBlocks(input), steps(center)],
  });
}

function aboutCenter({ center, centerConfig }: CenterPageInput): Block {
  return facts('about', 'About this center', [
    ['Id', center.id],
    ['Template', named(center.template)],
    ['Served here', servedWords(center.id, centerConfig?.name)],
    ['Brand', centerConfig?.brand?.name],
    ['Default language', center.defaultLanguage],
    ['Pages', String(center.pages.length)],
    [
      'Reasons for leaving',
      center.reasons === undefined ? 'not asked' : `${center.reasons.choices.length} to choose from`,
    ],
    ['Languages', center.languages.map((tag) => `${languageName(tag)} (${tag})`).join(', ')],
  ]);
}

function previewForm({ center, centerConfig, brands }: CenterPageInput): FormBlock {
  const language = center.defaultLanguage;
  return {
    kind: 'get-form',
    id: 'preview',
    heading: 'Preview',
    about:
      'As a made-up person would see it. Nobody’s record is read or written: the page has no form that could be sent.',
    action: `${centerHref(center.id)}/preview`,
    token: '',
    layout: 'line',
    fields: [
      select({
        id: 'page',
        label: 'Page',
        options: center.pages.map((page, at) => ({
          value: page.id,
          label: pageName(center, page, language).text,
          selected: at === 0,
        })),
      }),
      select({
        id: 'lang',
        label: 'Language',
        options: options(
          center.languages.map((tag): [string, string] => [tag, `${languageName(tag)} (${tag})`]),
          language,
        ),
      }),
      select({ id: 'state', label: 'Consent state', options: options(previewStates, 'new') }),
      select({
        id: 'brand',
        label: 'Brand',
        options: options(
          [['', 'None'], ...brands.map((one): [string, string] => [one.name, one.brand?.name ?? one.name])],
          centerConfig?.brand === undefined ? '' : centerConfig.name,
        ),
      }),
    ],
    buttons: [{ name: '', value: '', label: 'Look at it', tone: 'primary' }],
    links: [],
  };
}

/** How many findings of each kind there are in each language. */
function summary({ center, findings }: CenterPageInput): Block {
  const kinds = (Object.keys(kindNames) as FindingKind[]).filter((kind) =>
    findings.some((one) => one.kind === kind),
  );
  const languages = [...center.languages, undefined];
  return table({
    id: 'summary',
    heading: 'Findings by language',
    caption: 'Number of findings of each kind in each language',
    columns: ['Language', ...kinds.map((kind) => kindNames[kind])],
    rows: languages
      .map((language) => ({ language, mine: findings.filter((one) => one.language === language) }))
      .filter(({ language, mine }) => language !== undefined || mine.length > 0)
      .map(({ language, mine }) => [
        cell(language === undefined ? 'All languages' : `${languageName(language)} (${language})`, {
          href: language === undefined ? undefined : hrefOf(center.id, { kind: '', language, page: 0 }),
        }),
        ...kinds.map((kind) => cell(String(mine.filter((one) => one.kind === kind).length))),
      ]),
    empty: '',
  });
}

/** Those that the filter asks for; a kind or language that is none asks for all. */
export function filterFindings(
  findings: readonly Finding[],
  { kind, language }: FindingFilter,
): readonly Finding[] {
  return findings.filter(
    (one) => (kind === '' || one.kind === kind) && (language === '' || one.language === language),
  );
}

function findingBlocks({ center, findings, filter }: CenterPageInput): readonly Block[] {
  const found = filterFindings(findings, filter);
  const totalPages = Math.ceil(found.length / onOnePage);
  const page = Math.min(filter.page, Math.max(totalPages - 1, 0));
  const form: FormBlock = {
    kind: 'get-form',
    id: 'filter',
    heading: 'Findings',
    about: undefined,
    action: centerHref(center.id),
    token: '',
    layout: 'line',
    fields: [
      select({
        id: 'kind',
        label: 'Kind',
        options: options([['', 'All'], ...Object.entries(kindNames)], filter.kind),
      }),
      select({
        id: 'language',
        label: 'Language',
        options: options(
          [
            ['', 'All'],
            ...center.languages.map((tag): [string, string] => [tag, `${languageName(tag)} (${tag})`]),
          ],
          filter.language,
        ),
      }),
    ],
    buttons: [{ name: '', value: '', label: 'Show', tone: 'ordinary' }],
    links: [],
  };
  const list = table({
    id: 'findings',
    caption: 'What is missing or wrong',
    columns: ['Weight', 'Kind', 'Where', 'What, and what to do'],
    rows: found.slice(page * onOnePage, (page + 1) * onOnePage).map((one) => [
      tag(...weights[one.weight]),
      cell(kindNames[one.kind], {
        more: one.language === undefined ? 'all languages' : languageName(one.language),
      }),
      cell(one.where),
      cell(one.what, { more: one.advice }),
    ]),
    empty:
      findings.length === 0
        ? 'There is nothing to do here.'
        : 'Nothing of that kind, in that language. Choose others above.',
    pager: buildPager(
      pagingOf({ page, size: onOnePage, total: found.length }),
      (number) => hrefOf(center.id, { ...filter, page: number }),
      'findings',
    ),
    links:
      findings.length === 0
        ? []
        : [
            {
              href: withQuery(`${centerHref(center.id)}/findings.csv`, {
                kind: filter.kind,
                language: filter.language,
              }),
              label: 'Download these findings as CSV',
            },
          ],
  });
  return [form, list];
}

function hrefOf(id: string, { kind, language, page }: FindingFilter): string {
  return withQuery(centerHref(id), { kind, language, page: page === 0 ? undefined : page });
}

function steps(center: Center): Block {
  return table({
    id: 'steps',
    heading: 'Steps to grant and to withdraw everything',
    about: 'Each press of a switch, a link or a button counts. Withdrawing should never take more of them.',
    caption: 'Steps on each page',
    columns: ['Page', 'To grant', 'To withdraw', 'Verdict'],
    rows: center.pages.map((page) => {
      const { grant, withdraw } = stepsOf(page);
      return [
        cell(pageName(center, page, center.defaultLanguage).text),
        cell(String(grant)),
        cell(String(withdraw)),
        withdraw <= grant ? tag('fine', 'success') : tag('withdrawing takes more', 'warning'),
      ];
    }),
    empty: 'The center has no page.',
  });
}

export function findingRows(findings: readonly Finding[]): readonly (readonly string[])[] {
  return [
    ['weight', 'kind', 'language', 'where', 'what', 'what to do'],
    ...findings.map((one) => [one.weight, one.kind, one.language ?? '', one.where, one.what, one.advice]),
  ];
}
