import type { Center } from '../../core/model/center/center.ts';
import { type CenterConfig, type CenterRegistry, isGuid } from '../../core/model/center/center-config.ts';
import type { ShownWords } from '../../core/model/evidence/evidence.ts';
import type { Identifiers } from '../../core/model/person/identifiers.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { LinkMaker } from '../../core/model/person/visit.ts';
import { Problem } from '../../core/model/problem.ts';
import { personMark } from '../../core/model/staff/audit-entry.ts';
import type { JournalEntry } from '../../core/model/submission/journal-entry.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Delivery } from '../../ports/delivery.ts';
import type { Journal } from '../../ports/journal.ts';
import type { PersonData } from '../../ports/person-data.ts';
import type { Platform } from '../../ports/platform.ts';
import type { KeyedHash, Seal } from '../../ports/seal.ts';
import type { Wordings } from '../../ports/wordings.ts';
import { eraseMistake } from './erasure.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';
import { inOneGo } from './in-one-go.ts';
import type { Centers } from './pages/entry-lines.ts';
import { buildErasedPage, buildErasePage } from './pages/erase.ts';
import { type CenterNames, centerName } from './pages/names.ts';
import { buildFindPersonPage, buildPersonPage, mostShown } from './pages/person.ts';
import { buildLinkPage, type LinkDelivery, type LinkMade } from './pages/person-link.ts';
import type { CenterStanding } from './pages/standing.ts';
import { submissionHref } from './pages/submission-list.ts';
import { buildWithdrawPage, type WithdrawInput } from './pages/withdraw.ts';
import { openStaffPerson, sealStaffPerson } from './person-token.ts';
import { readWithdrawal } from './withdrawal.ts';

export interface PeopleParts {
  readonly platform: Pick<Platform, 'findCenter' | 'readSubject'>;
  readonly journal: Pick<Journal, 'list' | 'find'>;
  readonly delivery: Pick<Delivery, 'submit'>;
  readonly registry: CenterRegistry;
  readonly identifiers: Pick<Identifiers, 'read' | 'rule'>;
  readonly seal: Seal & KeyedHash;
  readonly clock: Clock;
  readonly centerNames: () => Promise<CenterNames>;
  readonly schemas: (entries: readonly JournalEntry[]) => Promise<Centers>;
  readonly links: StaffLinks;
  readonly wordings: Wordings;
  readonly personData: Pick<PersonData, 'exported' | 'erase'>;
  /** What stays when a person is erased, and why. */
  readonly whatStays: readonly string[];
}

/** Links of the product's own, made for a person by staff. */
export interface StaffLinks {
  /** What `make` will do. */
  deliveryOf(centerConfig: CenterConfig, subject: SubjectId): LinkDelivery;
  /** Mails it to the person alone; where no mail reaches them, gives one that only withdraws, to be shown. */
  make(change: {
    readonly centerConfig: CenterConfig;
    /** The center's own name. */
    readonly title: string | undefined;
    readonly language: string;
    readonly subject: SubjectId;
    readonly maker: LinkMaker;
  }): Promise<LinkMade>;
}

const recordTimeoutMs = 3_000;
const submitTimeoutMs = 7_500;
const reference = /^[\w-]{16,64}$/;
/** Each is a call: the ones in which something was submitted come first, the others can be asked for. */
const mostCenters = 8;

/**
 * One person, found by the identifier, which goes by post and from page to page only sealed. On their behalf there
 * is nothing but withdrawing; to grant, they get a link, which staff never see: its holder is that person.
 */
export function addPeople(guarded: GuardedRouter, parts: PeopleParts): void {
  const { platform, journal, delivery, registry, identifiers, seal, centerNames, links } = parts;
  const schemasOf = parts.schemas;

  /** The person whom a page was about, and the center that its form names, if it names one. */
  function openPerson(call: Call): { readonly subject: SubjectId; readonly center: string } {
    const subject = openStaffPerson(parts, call.member, call.form['person']?.[0]);
    const center = centerOf(call);
    if (subject === undefined) throw new Problem('form-refused');
    aboutPerson(call, subject, center);
    return { subject, center };
  }

  function centerOf({ form }: Call): string {
    const center = (form['center']?.[0] ?? '').toLowerCase();
    if (center !== '' && !isGuid(center)) throw new Problem('form-refused');
    return center;
  }

  function aboutPerson(call: Call, subject: SubjectId, center: string): void {
    if (center !== '') call.about(center);
    call.about(personMark(seal.hash('staff audit', subject)));
  }

  function linkDelivery(center: string, subject: SubjectId): LinkDelivery | undefined {
    const centerConfig = registry.findByCenter(center);
    return centerConfig === undefined ? undefined : links.deliveryOf(centerConfig, subject);
  }

  guarded.get('/people', 'viewer', 'opened the search for a person', async (call) => {
    await call.show(buildFindPersonPage(call.pageContext, { token: call.token(), typed: '', mistakes: [] }));
  });

  guarded.post('/people', 'viewer', 'searched for a person', async (call) => {
    if (call.form['person'] !== undefined) {
      const { subject, center } = openPerson(call);
      return showPerson(call, subject, center);
    }
    const typed = call.form['identifier']?.[0] ?? '';
    const entry = reference.test(typed.trim()) ? await journal.find(typed.trim()) : undefined;
    if (entry !== undefined) {
      call.about(entry.reference);
      return call.response.redirect(303, submissionHref(entry.reference));
    }
    const subject = identifiers.read(typed);
    if (subject === undefined) {
      const text = `Enter the identifier as the platform has it: ${identifiers.rule}.`;
      const given = { token: call.token(), typed, mistakes: [{ field: 'identifier', text }] };
      return call.show(buildFindPersonPage(call.pageContext, given), 422);
    }
    const center = centerOf(call);
    aboutPerson(call, subject, center);
    await showPerson(call, subject, center);
  });

  async function showPerson(call: Call, subject: SubjectId, asked: string): Promise<void> {
    const [entries, names] = await Promise.all([journal.list({ subject, limit: mostShown }), centerNames()]);
    const served = registry.listed?.map(({ center }) => center) ?? names.map(({ id }) => id);
    const known = new Set([...(asked === '' ? [] : [asked]), ...entries.map(({ center }) => center)]);
    const ids = [...known.union(new Set(served))];
    const [read, schemas] = await Promise.all([
      readStandings(ids.slice(0, mostCenters), subject),
      schemasOf(entries),
    ]);
    const page = buildPersonPage(call.pageContext, {
      subject,
      centers: ids.map((id) => ({ id, name: centerName(names, id) })),
      schemas,
      standings: read
        .filter(({ id, record }) => known.has(id) || (record?.purposes.length ?? 0) > 0)
        .map((one) => ({ ...one, name: centerName(names, one.id) })),
      entries,
      person: sealStaffPerson(parts, call.member, subject),
      token: call.token,
      link: (center) => linkDelivery(center, subject),
    });
    await call.show(page);
  }

  /** What can be had in a moment: a platform that is away, or slow, leaves the rest of the page as it is. */
  async function readStandings(
    ids: readonly string[],
    subject: SubjectId,
  ): Promise<readonly Omit<CenterStanding, 'name'>[]> {
    const found = new Map<string, Omit<CenterStanding, 'name'>>();
    await inOneGo(
      ids.map((id) => async () => {
        const [schema, record] = await lookUp(id, subject);
        found.set(id, { id, schema, record });
      }),
      recordTimeoutMs,
    );
    return ids.map((id) => found.get(id) ?? { id, schema: undefined, record: undefined });
  }

  /** The schema and the record only where the platform gives them; the record is only asked for a moment. */
  function lookUp(center: string, subject: SubjectId) {
    const signal = AbortSignal.timeout(recordTimeoutMs);
    return Promise.all([
      platform.findCenter(center).catch(() => undefined),
      platform.readSubject(center, subject, { signal }).catch(() => undefined),
    ]);
  }

  /** The person is shown nothing: what the center says by itself. */
  async function shownOf(schema: Center | undefined): Promise<ShownWords | undefined> {
    if (schema === undefined) return undefined;
    const { defaultLanguage: language, template } = schema;
    const words = await parts.wordings.shown(schema, language);
    if (words === undefined) return undefined;
    await parts.wordings.kept(words);
    return { by: 'center', words, language, template };
  }

  /** Everything that the page of withdrawing is made from. */
  async function prepare(call: Call) {
    const person = openPerson(call);
    const { subject, center } = person;
    if (!isGuid(center)) throw new Problem('form-refused');
    const [[schema, record], centers] = await Promise.all([lookUp(center, subject), centerNames()]);
    const typed = {
      what: call.form['what']?.[0] ?? '',
      purposes: call.form['purpose'] ?? [],
      reason: (call.form['reason']?.[0] ?? '').replaceAll('\r\n', '\n'),
    };
    const show = (mistakes: WithdrawInput['mistakes'], status: number) =>
      call.show(
        buildWithdrawPage(call.pageContext, {
          subject,
          center: schema,
          centerName: centerName(centers, center),
          centerId: center,
          record,
          person: sealStaffPerson(parts, call.member, subject),
          token: call.token(),
          typed,
          mistakes,
        }),
        status,
      );
    return { person, schema, typed, show };
  }

  guarded.post('/people/choose', 'editor', 'looked up what a person could withdraw', async (call) => {
    const { show } = await prepare(call);
    await show([], 200);
  });

  guarded.post('/people/withdraw', 'editor', 'withdrew on behalf of a person', async (call) => {
    const { person, schema, typed, show } = await prepare(call);
    // What was shown can be withdrawn whatever the record says by now, which may lag: it takes nothing that is not there.
    const displayed = typed.purposes.filter(isGuid);
    const read = readWithdrawal(typed, displayed);
    if (read.kind === 'mistakes') return show(read.mistakes, 422);
    const submission = await delivery.submit(
      {
        ...person,
        shown: await shownOf(schema),
        nonce: call.nonce,
        intent: read.intent,
        channel: 'staff',
        scope: 'withdraw',
        globalPrivacyControl: false,
        undoes: undefined,
        reasons: [],
        onBehalf: { staff: `${call.member.name} (${call.member.id})`, reason: read.reason },
      },
      { waitMs: submitTimeoutMs },
    );
    call.about(submission.reference);
    call.response.redirect(303, submissionHref(submission.reference));
  });

  guarded.post('/people/export', 'privacy', 'exported all about a person', async (call) => {
    const { subject } = openPerson(call);
    const text = `${JSON.stringify(await parts.personData.exported(subject), undefined, 2)}\n`;
    call.response.setHeader('Content-Type', 'application/json; charset=utf-8');
    call.response.setHeader('Content-Disposition', 'attachment; filename="person.json"');
    call.response.end(text);
  });

  guarded.post('/people/erase', 'privacy', 'erased a person', async (call) => {
    const { subject } = openPerson(call);
    const reason = (call.form['reason']?.[0] ?? '').trim();
    const forgets = call.form['forget']?.[0] === 'on';
    const isAsked = call.form['sure']?.[0] === 'yes';
    const mistake = eraseMistake(reason, subject);
    const person = sealStaffPerson(parts, call.member, subject);
    const given = { subject, person, token: call.token(), reason, forgets, whatStays: parts.whatStays };
    if (!isAsked || mistake !== undefined) {
      if (!isAsked) call.about('asked first');
      const page = buildErasePage(call.pageContext, { ...given, mistake: isAsked ? mistake : undefined });
      return call.show(page, isAsked ? 422 : 200);
    }
    call.about(`for: ${reason}`);
    const outcome = await parts.personData.erase(subject, { forgets });
    call.about(outcome.kind);
    await call.show(
      buildErasedPage(call.pageContext, { ...given, outcome }),
      outcome.kind === 'erased' ? 200 : 409,
    );
  });

  guarded.post('/people/link', 'editor', 'made a link for a person', async (call) => {
    const { subject, center } = openPerson(call);
    const centerConfig = registry.findByCenter(center);
    if (centerConfig === undefined) throw new Problem('not-found');
    const [[schema, record], centers] = await Promise.all([lookUp(center, subject), centerNames()]);
    const preferences = { visit: undefined, subject: record?.language, browser: [] };
    const made = await links.make({
      centerConfig,
      title: schema?.title,
      language: schema === undefined ? 'en' : choosePageLanguage({ preferences, center: schema }),
      subject,
      maker: { id: call.member.id, name: call.member.name },
    });
    call.about(made.kind === 'mailed' ? 'mailed to them' : 'shown for withdrawing only');
    const page = { subject, centerName: centerName(centers, center), made };
    await call.show(buildLinkPage(call.pageContext, page));
  });
}
