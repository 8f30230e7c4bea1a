import { maskIdentifier, type SubjectId } from '../../core/model/person/subject.ts';
import { mayDo } from '../../core/model/staff/staff-member.ts';
import type { Mistake } from '../../core/model/staff/task-form.ts';
import { isoDay, writtenDay, writtenTime } from '../../core/model/utc-time.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import type { Block, FormsBlock, StepView } from '../../pages/staff-page.ts';
import { cell, facts, form, input, moment, select } from './blocks.ts';
import { type Call, found } from './guarded-router.ts';
import { inOneGo } from './kept.ts';
import { type CenterNames, centerName } from './names.ts';
import { listed, type Page, submissionHref, underSubmissions } from './page.ts';
import type { LinkMade } from './parts.ts';
import {
  aboutPerson,
  centerOf,
  lookUp,
  openPerson,
  type PersonAsked,
  personForm,
  recordTimeoutMs,
  sealStaffPerson,
  underPerson,
} from './person-form.ts';
import { type CenterStanding, standingTable } from './standing.ts';
import { step } from './submission-timeline.ts';
import { channelNames, entryLines, linkMakerName, stateNames } from './submission-words.ts';

const reference = /^[\w-]{16,64}$/;
/**
 * Number of centers that are read, one call each: first those with submissions. The reader can ask for the
 * others.
 */
const mostCenters = 8;

export const showSearch = ({ show }: Call) => show(findPersonPage('', []));

/**
 * Finds a person by the identifier, which is sent by post and goes from page to page only sealed. Staff can
 * only withdraw on behalf of a person; to grant, the person gets a link that staff never see, because its
 * holder acts as that person.
 */
export async function findPerson(call: Call): Promise<void> {
  const { journal, identifiers } = call;
  const show = async (about: PersonAsked) => call.show(buildPersonPage(await readPerson(call, about)));
  if (call.form['person'] !== undefined) return show(openPerson(call));
  const typed = call.field('identifier');
  const entry = reference.test(typed.trim()) ? await journal.find(typed.trim()) : undefined;
  if (entry !== undefined) {
    call.about(entry.reference);
    return call.response.redirect(303, submissionHref(entry.reference));
  }
  const subject = identifiers.read(typed);
  if (subject === undefined) {
    const text = `Enter the identifier as the platform has it: ${identifiers.rule}.`;
    return call.show(findPersonPage(typed, [{ field: 'identifier', text }]));
  }
  const about = { subject, center: centerOf(call) };
  aboutPerson(call, about);
  await show(about);
}

export async function makeLink(call: Call): Promise<void> {
  const { subject, center } = openPerson(call);
  const centerConfig = found(call.registry.findByCenter(center));
  const [[schema, record], centers] = await Promise.all([lookUp(call, center, subject), call.centerNames()]);
  const preferences = { visit: undefined, subject: record?.language, browser: [] };
  const made = await call.links.make({
    centerConfig,
    title: schema?.title,
    language: schema === undefined ? 'en' : choosePageLanguage({ preferences, center: schema }),
    subject,
    maker: { id: call.member.id, name: call.member.name },
  });
  call.about(made.kind === 'mailed' ? 'mailed to them' : 'shown for withdrawing only');
  await call.show(linkPage(made, maskIdentifier(subject), centerName(centers, center)));
}

/** Reads what is known of a person. The center that was asked for is always read; '' for none. */
async function readPerson(call: Call, { subject, center: asked }: PersonAsked) {
  const { journal, registry, centerNames, schemas, links } = call;
  const [entries, names] = await Promise.all([journal.list({ subject, limit: mostShown }), centerNames()]);
  const served = registry.listed?.map(({ center }) => center) ?? names.map(({ id }) => id);
  const known = new Set([...(asked === '' ? [] : [asked]), ...entries.map(({ center }) => center)]);
  const ids = [...known.union(new Set(served))];
  const centers: CenterNames = ids.map((id) => ({ id, name: centerName(names, id) }));
  const [read, named] = await Promise.all([
    readStandings(call, centers.slice(0, mostCenters), subject),
    schemas(entries),
  ]);
  return {
    member: call.member,
    subject,
    centers,
    schemas: named,
    /** Centers with data of the person, and the center that was asked for. */
    standings: read.filter(({ id, record }) => known.has(id) || (record?.purposes.length ?? 0) > 0),
    /** The submissions, newest first, at most `mostShown`. */
    entries,
    /** The identifier, sealed. */
    person: sealStaffPerson(call, subject),
    /** The delivery of a link for this person; undefined if the center is not served here. */
    link(center: string) {
      const centerConfig = registry.findByCenter(center);
      return centerConfig && links.deliveryOf(centerConfig, subject);
    },
  };
}

type PersonInput = Awaited<ReturnType<typeof readPerson>>;

/**
 * Reads the person's records, as far as possible in a moment: if the platform is away or slow, the rest of
 * the page is shown without them.
 */
async function readStandings(call: Call, centers: CenterNames, subject: SubjectId) {
  const found = await inOneGo(centers, ({ id }) => lookUp(call, id, subject), recordTimeoutMs);
  return centers.map((one): CenterStanding => {
    const [schema, record] = found.get(one) ?? [];
    return { ...one, schema, record };
  });
}

/** Number of submissions of a person that are shown, the newest. */
const mostShown = 100;

/** The search form. It posts the identifier, which must not get into an address, a history or a log. */
function findPersonPage(typed: string, mistakes: readonly Mistake[]): Page {
  return {
    title: 'Find a person',
    ...underSubmissions,
    lead: ['What is on for them now and since when; withdrawing for them; a link that lets them choose.'],
    mistakes,
    blocks: [
      form({
        id: 'person',
        action: '/staff/people',
        fields: [
          input({
            id: 'identifier',
            label: 'Identifier or reference',
            value: typed,
            required: 'required',
            hint: 'The identifier exactly as the platform has it, often an e-mail address; or the reference of a submission.',
          }),
        ],
        label: 'Find',
      }),
    ],
  };
}

/** The page of a person: consent by center, possible actions, and past submissions, newest first. */
export function buildPersonPage(given: PersonInput): Page {
  const { member, subject, standings, entries } = given;
  const isEditor = mayDo(member, 'editor');
  const isKnown = standings.length + entries.length > 0;
  return {
    title: maskIdentifier(subject),
    ...underPerson,
    lead: [
      !isKnown && 'Nothing is known of this identifier here. Check it letter by letter, capitals included.',
      isEditor && 'You can withdraw for them, with a reason. To turn something on, send them a link.',
    ],
    blocks: [
      ...standings.flatMap((one, at) => [
        standingTable(
          one,
          `standing-${at}`,
          entries.filter(({ center }) => center === one.id),
        ),
        isEditor && actions(given, one.id, at),
      ]),
      otherCenters(given),
      mayDo(member, 'privacy') && privacyActions(given),
      timeline(given),
    ],
  };
}

function actions(given: PersonInput, center: string, at: number): FormsBlock {
  const id = `actions-${at}`;
  const fields = [{ kind: 'hidden' as const, name: 'center', value: center }];
  const link = given.link(center);
  const withdraw = { action: '/staff/people/choose', label: 'Withdraw for them' };
  const label = link === 'mailed' ? 'Send them a link' : 'Make a link to withdraw';
  return {
    kind: 'forms',
    id,
    forms: listed([
      personForm(given.person, { ...withdraw, id: `${id}-0`, fields }),
      link && personForm(given.person, { id: `${id}-1`, action: '/staff/people/link', label, fields }),
    ]),
  };
}

function privacyActions({ person }: PersonInput): FormsBlock {
  return {
    kind: 'forms',
    id: 'privacy',
    heading: 'All that is kept about this person',
    forms: [
      personForm(person, { id: 'export', action: '/staff/people/export', label: 'Export all' }),
      personForm(person, { id: 'erase', action: '/staff/people/erase', label: 'Erase…' }),
    ],
  };
}

function otherCenters({ centers, standings, person }: PersonInput): Block | undefined {
  const others = centers.filter(({ id }) => !standings.some((one) => one.id === id));
  if (others.length === 0) return undefined;
  const center = select({
    id: 'center',
    label: standings.length === 0 ? 'Look in a center' : 'Another center',
    from: others,
  });
  return personForm(person, { id: 'other', action: '/staff/people', fields: [center], label: 'Show' });
}

function timeline({ entries, centers, schemas, standings }: PersonInput): Block {
  return {
    kind: 'timeline',
    id: 'timeline',
    heading: 'Timeline',
    about: entries.length === mostShown && `The last ${mostShown} submissions.`,
    steps: entries.map((entry, index): StepView => {
      const record = standings.find(({ id }) => id === entry.center)?.record;
      const naming = { ...schemas(entry), record };
      const { headline, lines } = entryLines(entry, naming);
      const { shown } = entry.evidence?.asked ?? {};
      const texts = entry.everything || lines.length === 0 ? [headline, ...lines] : lines;
      const [state, tone] = stateNames[entry.state];
      const at = entry.submittedAt;
      const before = entries[index - 1]?.submittedAt;
      const isFirst = before === undefined || isoDay(before) !== isoDay(at);
      return step(
        texts[0] ?? headline,
        [
          moment(at, { look: 'time', text: writtenTime(at) }),
          cell((shown && naming.words?.around(shown.words)?.title) ?? centerName(centers, entry.center)),
          cell(listed([channelNames[entry.channel], linkMakerName(entry)]).join(': ')),
          ...(entry.state === 'done' ? [] : [cell(state)]),
        ],
        {
          tone,
          lines: texts.slice(1),
          href: submissionHref(entry.reference),
          day: { iso: new Date(at).toISOString(), text: writtenDay(at), isFirst },
        },
      );
    }),
  };
}

/** Days for which a link made by staff is valid. */
export const staffLinkDays = 7;

/** The text in the copy in place of the link. */
export const linkPlaceholder = '[the link, which is in their message alone]';

/**
 * The page after a link was made. A shown link is shown once: it is in no address of ours, and is kept
 * nowhere.
 */
function linkPage(made: LinkMade, person: string, center: string): Page {
  if (made.kind === 'shown') {
    return {
      ...underPerson,
      title: 'A link for withdrawing',
      lead: [
        `With this link ${person}, or any other holder of it, can withdraw in ${center} for ${staffLinkDays} days, and do nothing else. Give it only to them.`,
      ],
      blocks: [facts('link', undefined, [['Link', cell(made.href, { look: 'code' })]])],
    };
  }
  const { subject, text, lang, dir } = made.copy;
  return {
    ...underPerson,
    title: 'A link is on its way to this person',
    lead: [
      `A message to ${person} opens their own page in ${center} for ${staffLinkDays} days. The link is in that message alone.`,
    ],
    blocks: [
      facts('copy', 'What was sent', [
        ['To', person],
        ['Subject', cell(subject, { lang, dir })],
        ['Message', cell(text, { lang, dir })],
      ]),
    ],
  };
}
