import type { Center } from '../../core/model/center/center.ts';
import { languageName } from '../../i18n/language.ts';
import { pageName } from '../../pages/person/layout.ts';
import { centerTitle } from '../../pages/person/preferences.ts';
import type { Block, FactsView, FindingGroupView, TableView } from '../../pages/staff-page.ts';
import { streamCsv } from '../../web/download.ts';
import { amount, cell, facts, folded, select, table, tag } from './blocks.ts';
import { named, servedWords } from './centers.ts';
import { type Finding, findingWords, kindNames, weightOf, weights, whatOf } from './finding-words.ts';
import { type Call, found } from './guarded-router.ts';
import { lintCenter, stepsOf } from './lint.ts';
import { cut, list, type Query, queries, withQuery } from './list.ts';
import { centerHref, listed, type Page, underCenters } from './page.ts';

/** Reads a center and its findings: what is missing or wrong in it. */
export async function readCenter({ platform, registry, parameter, asked }: Call) {
  const center = found(await platform.findCenter(parameter('id')));
  const centerConfig = registry.findByCenter(center.id);
  const findings = lintCenter(center, centerConfig?.brand);
  return { center, centerConfig, findings, filter: asked(queries.findings) };
}

type CenterPageInput = Awaited<ReturnType<typeof readCenter>>;

const onOnePage = 50;

export function buildCenterPage(input: CenterPageInput): Page {
  const { center, findings } = input;
  const name = centerTitle(center, center.defaultLanguage);
  const problems = findings.filter((finding) => weightOf(finding) === 'problem').length;
  const isList = input.filter.kind !== '' || input.filter.language !== '';
  const blocks = isList
    ? findingBlocks(input)
    : [groupedFindings(input), folded('more', 'About this center', [aboutCenter(input), steps(center)])];
  return {
    title: isList ? `Findings in ${name}` : name,
    ...underCenters,
    crumbs: [...underCenters.crumbs, ...(isList ? [{ href: centerHref(center.id), label: name }] : [])],
    lead: [!isList && countText(findings.length, problems)],
    links: [!isList && { href: `${centerHref(center.id)}/preview`, label: 'Preview' }],
    blocks,
  };
}

function countText(count: number, problems: number): string {
  if (count === 0) return 'Nothing is missing or wrong in this center.';
  const found = amount(count, 'finding');
  if (problems === 0) return `${found}, none of them a problem.`;
  return `${found}, ${problems} of them ${problems === 1 ? 'a problem' : 'problems'}.`;
}

function aboutCenter({ center, centerConfig }: CenterPageInput): FactsView {
  return facts('about', undefined, [
    ['Id', center.id],
    ['Template', named(center.template)],
    ['Served here', servedWords(centerConfig)],
    ['Brand', centerConfig?.brand?.name],
    ['Default language', center.defaultLanguage],
    ['Pages', center.pages.length],
    ['Reasons for leaving', center.reasons ? `${center.reasons.choices.length} to choose from` : 'not asked'],
    ['Languages', center.languages.map(nameAndTag).join(', ')],
  ]);
}

/** Number of findings in an opened line. The full list is a page of its own. */
const fewItems = 20;
const mostGroups = 60;

/** Groups findings of one weight and kind in one language. Problems come first, then larger groups. */
function groupFindings(findings: readonly Finding[]): readonly Group[] {
  const heaviest = Object.keys(weights);
  const groups = Map.groupBy(findings, ({ code, language = '' }) => {
    const { weight, kind } = findingWords[code];
    return `${weight} ${kind} ${language}`;
  });
  const place = ([first]: Group) => heaviest.indexOf(weightOf(first));
  return [...groups.values()]
    .flatMap(([first, ...others]): Group[] => (first === undefined ? [] : [[first, ...others]]))
    .sort((one, other) => place(one) - place(other) || other.length - one.length);
}

type Group = readonly [Finding, ...Finding[]];

function groupView(center: Center, found: Group): FindingGroupView {
  const [first] = found;
  const { language } = first;
  const what = whatOf(first);
  const isAlike = found.every((one) => one.code === first.code && whatOf(one) === what);
  const { kind, weight, advice } = findingWords[first.code];
  const [text, tone] = weights[weight];
  return {
    weight: { text, tone },
    title: kindNames[kind],
    language: language === undefined ? 'All languages' : nameAndTag(language),
    count: found.length,
    advice: isAlike ? `${what} ${advice}` : advice,
    items: found.slice(0, fewItems).map((one) => ({
      where: one.where,
      what: isAlike ? undefined : whatOf(one),
    })),
    all: found.length > fewItems && {
      href: withQuery(centerHref(center.id), { kind, language }),
      label: language === undefined ? 'All of this kind' : `All ${found.length} of them`,
    },
  };
}

export function nameAndTag(tag: string): string {
  return `${languageName(tag)} (${tag})`;
}

/** One line that opens for each kind in each language. */
function groupedFindings({ center, findings }: CenterPageInput): Block {
  const groups = groupFindings(findings);
  const isAny = findings.length > 0;
  return {
    kind: 'findings',
    id: 'findings',
    heading: 'Findings',
    about:
      groups.length > mostGroups &&
      `The ${mostGroups} gravest of ${groups.length} lines; the CSV has them all.`,
    groups: groups.slice(0, mostGroups).map((group) => groupView(center, group)),
    links: listed([
      isAny && { href: csvHref(center), label: 'Download CSV' },
      isAny && { href: withQuery(centerHref(center.id), { kind: anyKind }), label: 'Show all as a list' },
    ]),
  };
}

/**
 * The findings that match the filter. An empty or `anyKind` value of `kind`, and an empty `language`, match
 * all; an unknown one matches none.
 */
export function filterFindings(findings: readonly Finding[], { kind, language }: Query<'findings'>) {
  const ofKind = kind === anyKind ? '' : kind;
  return findings.filter(
    (one) =>
      (ofKind === '' || findingWords[one.code].kind === ofKind) &&
      (language === '' || one.language === language),
  );
}

/** The value of `kind` in an address that shows findings of all kinds as a list. */
const anyKind = 'all';

function findingBlocks({ center, findings, filter }: CenterPageInput): readonly Block[] {
  const found = filterFindings(findings, filter);
  const { shown, paging } = cut(found, { page: filter.page, size: onOnePage });
  return list({
    path: centerHref(center.id),
    filter,
    fields: [
      select({ id: 'kind', label: 'Kind', from: [[anyKind, 'All'], ...Object.entries(kindNames)] }),
      select({ id: 'language', label: 'Language', none: 'All', from: center.languages, labelOf: nameAndTag }),
    ],
    id: 'findings',
    caption: 'What is missing or wrong',
    columns: {
      Where: ({ where }) => where,
      Weight: (one) => tag(...weights[weightOf(one)]),
      Kind: ({ code, language }) =>
        cell(kindNames[findingWords[code].kind], {
          more: language === undefined ? 'all languages' : languageName(language),
        }),
      'What, and what to do': (one) => cell(whatOf(one), { more: findingWords[one.code].advice }),
    },
    rows: shown,
    empty:
      findings.length === 0
        ? 'There is nothing to do here.'
        : 'Nothing of that kind, in that language. Choose others above.',
    paging,
    files: [csvHref(center)],
  });
}

const csvHref = ({ id }: Center) => `${centerHref(id)}/findings.csv`;

function steps(center: Center): TableView {
  return table({
    id: 'steps',
    heading: 'Steps to grant and to withdraw all',
    about: 'Each press of a switch, a link or a button counts. Withdrawing should never take more of them.',
    caption: 'Steps on each page',
    columns: {
      Page: ({ name }) => name,
      'To grant': ({ grant }) => grant,
      'To withdraw': ({ withdraw }) => withdraw,
      Verdict: ({ grant, withdraw }) =>
        withdraw <= grant ? tag('Fine', 'success') : tag('Withdrawing takes more', 'warning'),
    },
    rows: center.pages.map((page) => ({
      name: pageName(center, page, center.defaultLanguage).text,
      ...stepsOf(page),
    })),
    empty: 'The center has no page.',
  });
}

export async function exportFindings(call: Call): Promise<void> {
  const { center, findings, filter } = await readCenter(call);
  const table = { columns: findingColumns, parts: [filterFindings(findings, filter)] };
  await streamCsv(call.response, `findings-${center.id}`, table);
}

const findingColumns = {
  weight: weightOf,
  kind: ({ code }: Finding) => findingWords[code].kind,
  language: ({ language }: Finding) => language,
  where: ({ where }: Finding) => where,
  what: whatOf,
  'what to do': ({ code }: Finding) => findingWords[code].advice,
};
