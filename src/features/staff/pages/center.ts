import type { Center } from '../../../core/model/center/center.ts';
import type { CenterConfig } from '../../../core/model/center/center-config.ts';
import { languageName } from '../../../i18n/language.ts';
import { pageName } from '../../../pages/person/layout.ts';
import type { Block, FactsView, FindingGroupView, StaffPage, TableView } from '../../../pages/staff-page.ts';
import { cell, facts, figure, filterOf, folded, select, staffPage, table, tag } from './blocks.ts';
import { centerHref, named, servedWords } from './center-list.ts';
import {
  type Finding,
  type FindingKind,
  findingWords,
  kindNames,
  weightOf,
  weights,
  whatOf,
} from './finding-words.ts';
import type { StaffPageContext } from './layout.ts';
import { stepsOf } from './lint.ts';
import { buildPager, csvLink, pagingOf, withQuery } from './paging.ts';
import { previewHref } from './preview.ts';

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
  readonly findings: readonly Finding[];
  readonly filter: FindingFilter;
}

const onOnePage = 50;

/** A center: what it is, what is wrong with it, and how its pages look. */
export function buildCenterPage(pageContext: StaffPageContext, input: CenterPageInput): StaffPage {
  const { center, name, findings } = input;
  const problems = findings.filter((finding) => weightOf(finding) === 'problem').length;
  const isList = input.filter.kind !== '' || input.filter.language !== '';
  const blocks = isList
    ? findingBlocks(input)
    : [groupedFindings(input), folded('more', 'About this center', [aboutCenter(input), steps(center)])];
  return staffPage(pageContext, {
    title: isList ? `Findings in ${name}` : name,
    section: 'centers',
    crumbs: [
      { href: '/staff/centers', label: 'Preference centers' },
      ...(isList ? [{ href: centerHref(center.id), label: name }] : []),
    ],
    lead: isList ? [] : [countSaid(findings.length, problems)],
    links: isList ? [] : [{ href: previewHref(center.id), label: 'Preview' }],
    blocks,
  });
}

function countSaid(count: number, problems: number): string {
  if (count === 0) return 'Nothing is missing or wrong in this center.';
  const found = `${count} ${count === 1 ? 'finding' : 'findings'}`;
  if (problems === 0) return `${found}, none of them a problem.`;
  return `${found}, ${problems} of them ${problems === 1 ? 'a problem' : 'problems'}.`;
}

function aboutCenter({ center, centerConfig }: CenterPageInput): FactsView {
  return facts('about', undefined, [
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
    ['Languages', center.languages.map(languageSaid).join(', ')],
  ]);
}

/** In a line that is opened; all of them are a page of their own. */
const fewItems = 20;
const mostGroups = 60;

interface Group {
  readonly kind: FindingKind;
  readonly language: string | undefined;
  readonly found: readonly [Finding, ...Finding[]];
}

/** Problems first, then what is most; of one kind in one language each. */
function groupFindings(findings: readonly Finding[]): readonly Group[] {
  const heaviest = Object.keys(weights);
  const groups = Map.groupBy(findings, ({ code, language = '' }) => {
    const { weight, kind } = findingWords[code];
    return `${weight} ${kind} ${language}`;
  });
  const place = ({ found: [first] }: Group) => heaviest.indexOf(weightOf(first));
  return [...groups.values()]
    .flatMap(([first, ...others]): Group[] =>
      first === undefined
        ? []
        : [
            {
              kind: findingWords[first.code].kind,
              language: first.language,
              found: [first, ...others],
            },
          ],
    )
    .sort((one, other) => place(one) - place(other) || other.found.length - one.found.length);
}

function groupView(center: Center, { kind, language, found }: Group): FindingGroupView {
  const [first] = found;
  const what = whatOf(first);
  const isAlike = found.every((one) => one.code === first.code && whatOf(one) === what);
  const [text, tone] = weights[weightOf(first)];
  const { advice } = findingWords[first.code];
  return {
    weight: { text, tone },
    title: kindNames[kind],
    language: language === undefined ? 'All languages' : languageSaid(language),
    count: found.length,
    advice: isAlike ? `${what} ${advice}` : advice,
    items: found.slice(0, fewItems).map((one) => ({
      where: one.where,
      what: isAlike ? undefined : whatOf(one),
    })),
    all:
      found.length > fewItems && language !== undefined
        ? { href: hrefOf(center.id, { kind, language, page: 0 }), label: `All ${found.length} of them` }
        : found.length > fewItems
          ? { href: hrefOf(center.id, { kind, language: '', page: 0 }), label: `All of this kind` }
          : undefined,
  };
}

export function languageSaid(tag: string): string {
  return `${languageName(tag)} (${tag})`;
}

/** One line for each kind in each language, which opens. */
function groupedFindings({ center, findings }: CenterPageInput): Block {
  const groups = groupFindings(findings);
  return {
    kind: 'findings',
    id: 'findings',
    heading: 'Findings',
    about:
      groups.length > mostGroups
        ? `The ${mostGroups} gravest of ${groups.length} lines; the CSV has them all.`
        : undefined,
    groups: groups.slice(0, mostGroups).map((group) => groupView(center, group)),
    empty: 'There is nothing to do here.',
    links:
      findings.length === 0
        ? []
        : [
            { href: `${centerHref(center.id)}/findings.csv`, label: 'Download CSV' },
            {
              href: hrefOf(center.id, { kind: anyKind, language: '', page: 0 }),
              label: 'Show all as a list',
            },
          ],
  };
}

/** Those that the filter asks for; a kind or language that is none asks for all. */
export function filterFindings(
  findings: readonly Finding[],
  { kind, language }: FindingFilter,
): readonly Finding[] {
  const ofKind = kind === anyKind ? '' : kind;
  return findings.filter(
    (one) =>
      (ofKind === '' || findingWords[one.code].kind === ofKind) &&
      (language === '' || one.language === language),
  );
}

/** In an address: of every kind, and as a list. */
const anyKind = 'all';

function findingBlocks({ center, findings, filter }: CenterPageInput): readonly Block[] {
  const found = filterFindings(findings, filter);
  const totalPages = Math.ceil(found.length / onOnePage);
  const page = Math.min(filter.page, Math.max(totalPages - 1, 0));
  const form = filterOf({
    action: centerHref(center.id),
    fields: [
      select({
        id: 'kind',
        label: 'Kind',
        from: [[anyKind, 'All'], ...Object.entries(kindNames)],
        chosen: filter.kind,
      }),
      select({
        id: 'language',
        label: 'Language',
        from: [['', 'All'], ...center.languages.map((one) => [one, languageSaid(one)] as const)],
        chosen: filter.language,
      }),
    ],
  });
  const list = table({
    id: 'findings',
    caption: 'What is missing or wrong',
    columns: ['Where', 'Weight', 'Kind', 'What, and what to do'],
    rows: found.slice(page * onOnePage, (page + 1) * onOnePage).map((one) => [
      cell(one.where),
      tag(...weights[weightOf(one)]),
      cell(kindNames[findingWords[one.code].kind], {
        more: one.language === undefined ? 'all languages' : languageName(one.language),
      }),
      cell(whatOf(one), { more: findingWords[one.code].advice }),
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
    links: csvLink(
      `${centerHref(center.id)}/findings.csv`,
      { kind: filter.kind, language: filter.language },
      findings.length,
    ),
  });
  return [form, list];
}

function hrefOf(id: string, { kind, language, page }: FindingFilter): string {
  return withQuery(centerHref(id), { kind, language, page: page === 0 ? undefined : page });
}

function steps(center: Center): TableView {
  return table({
    id: 'steps',
    heading: 'Steps to grant and to withdraw all',
    about: 'Each press of a switch, a link or a button counts. Withdrawing should never take more of them.',
    caption: 'Steps on each page',
    columns: ['Page', 'To grant', 'To withdraw', 'Verdict'],
    rows: center.pages.map((page) => {
      const { grant, withdraw } = stepsOf(page);
      return [
        cell(pageName(center, page, center.defaultLanguage).text),
        figure(grant),
        figure(withdraw),
        withdraw <= grant ? tag('Fine', 'success') : tag('Withdrawing takes more', 'warning'),
      ];
    }),
    empty: 'The center has no page.',
  });
}

export function findingRows(findings: readonly Finding[]): readonly (readonly string[])[] {
  return [
    ['weight', 'kind', 'language', 'where', 'what', 'what to do'],
    ...findings.map((one) => {
      const { weight, kind, advice } = findingWords[one.code];
      return [weight, kind, one.language ?? '', one.where, whatOf(one), advice];
    }),
  ];
}
