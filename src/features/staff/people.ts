import * as z from 'zod';
import { type CenterConfig, type CenterRegistry, isGuid } from '../../core/model/center-config.ts';
import type { Identifiers } from '../../core/model/identifiers.ts';
import { Problem } from '../../core/model/problem.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import type { LinkMaker } from '../../core/model/visit.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import {
  buildFindPersonPage,
  buildLinkPage,
  buildPersonPage,
  type LinkDelivery,
  type LinkMade,
  mostShown,
} from '../../pages/staff/person.ts';
import { type CenterNames, centerName, submissionHref } from '../../pages/staff/submission-list.ts';
import { buildWithdrawPage, readWithdrawal, type WithdrawInput } from '../../pages/staff/withdraw.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Delivery } from '../../ports/delivery.ts';
import type { Journal } from '../../ports/journal.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Platform } from '../../ports/platform.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealedToken } from '../../web/sealed-token.ts';
import { subjectId } from '../../web/tokens.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';

export interface PeopleParts {
  readonly platform: Pick<Platform, 'findCenter' | 'readSubject'>;
  readonly journal: Pick<Journal, 'list'>;
  readonly delivery: Pick<Delivery, 'submit'>;
  readonly registry: CenterRegistry;
  readonly identifiers: Pick<Identifiers, 'read' | 'rule'>;
  readonly seal: Seal & KeyedHash;
  readonly clock: Clock;
  readonly centerNames: () => Promise<CenterNames>;
  readonly links: StaffLinks;
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

interface Person {
  readonly subject: SubjectId;
  readonly center: string;
}

const recordTimeoutMs = 3_000;
const submitTimeoutMs = 7_500;

const personToken = sealedToken({
  use: 'staff person',
  schema: z.object({ subject: subjectId, center: z.string(), member: z.string() }),
  maxAgeMs: 60 * 60 * 1000,
});

/**
 * One person, found by the identifier, which goes by post and from page to page only sealed. On their behalf there
 * is nothing but withdrawing; to grant, they get a link, which staff never see: whoever has it is that person.
 */
export function addPeople(guarded: GuardedRouter, parts: PeopleParts): void {
  const { platform, journal, delivery, registry, identifiers, seal, clock, centerNames, links } = parts;

  function sealPerson({ member }: Call, { subject, center }: Person): string {
    return personToken.seal({ seal, clock }, { subject, center, member: member.id });
  }

  function openPerson(call: Call): Person {
    const opened = personToken.open({ seal, clock }, call.form['person']?.[0]);
    if (opened?.member !== call.member.id) throw new Problem('form-refused');
    const { subject, center } = opened;
    aboutPerson(call, { subject, center });
    return { subject, center };
  }

  /** For the audit log: the same person has the same mark, which tells nothing to who does not know the identifier. */
  function aboutPerson(call: Call, { subject, center }: Person): void {
    call.about(
      [center, `person ${seal.hash('staff audit', subject).slice(0, 12)}`]
        .filter((part) => part !== '')
        .join(' '),
    );
  }

  function linkDelivery(center: string, subject: SubjectId): LinkDelivery | undefined {
    const centerConfig = registry.findByCenter(center);
    return centerConfig === undefined ? undefined : links.deliveryOf(centerConfig, subject);
  }

  guarded.get('/people', 'viewer', 'opened the search for a person', async (call) => {
    const typed = { identifier: '', center: call.query('center').toLowerCase() };
    const given = { centers: await centerNames(), token: call.token(), typed, mistake: undefined };
    await call.show(buildFindPersonPage(call.pageContext, given));
  });

  guarded.post('/people', 'viewer', 'searched for a person', async (call) => {
    const typed = {
      identifier: call.form['identifier']?.[0] ?? '',
      center: (call.form['center']?.[0] ?? '').toLowerCase(),
    };
    const subject = identifiers.read(typed.identifier);
    const centers = await centerNames();
    if (subject === undefined || (typed.center !== '' && !isGuid(typed.center))) {
      const mistake = `Enter the identifier as the platform has it: ${identifiers.rule}.`;
      const page = buildFindPersonPage(call.pageContext, { centers, token: call.token(), typed, mistake });
      return call.show(page, 422);
    }
    const { center } = typed;
    aboutPerson(call, { subject, center });
    const page = buildPersonPage(call.pageContext, {
      subject,
      center,
      centers,
      entries: await journal.list({ subject, center: center || undefined, limit: mostShown }),
      person: sealPerson(call, { subject, center }),
      token: call.token,
      link: linkDelivery(center, subject),
    });
    await call.show(page);
  });

  /** The schema and the record only where the platform gives them; the record is only asked for a moment. */
  function lookUp(center: string, subject: SubjectId) {
    const signal = AbortSignal.timeout(recordTimeoutMs);
    return Promise.all([
      platform.findCenter(center).catch(() => undefined),
      platform.readSubject(center, subject, { signal }).catch(() => undefined),
      centerNames(),
    ]);
  }

  /** Everything that the page of withdrawing is made from. */
  async function prepare(call: Call) {
    const person = openPerson(call);
    const { subject, center } = person;
    if (!isGuid(center)) throw new Problem('form-refused');
    const [schema, record, centers] = await lookUp(center, subject);
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
          record,
          person: sealPerson(call, person),
          token: call.token(),
          typed,
          mistakes,
        }),
        status,
      );
    return { person, typed, show };
  }

  guarded.post('/people/choose', 'editor', 'looked up what a person could withdraw', async (call) => {
    const { show } = await prepare(call);
    await show([], 200);
  });

  guarded.post('/people/withdraw', 'editor', 'withdrew on behalf of a person', async (call) => {
    const { person, typed, show } = await prepare(call);
    // What was drawn can be withdrawn whatever the record shows by now, which may lag: it takes nothing that is not there.
    const drawn = typed.purposes.filter(isGuid);
    const read = readWithdrawal(typed, drawn);
    if (read.kind === 'mistakes') return show(read.mistakes, 422);
    const submission = await delivery.submit(
      {
        ...person,
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

  guarded.post('/people/link', 'editor', 'made a link for a person', async (call) => {
    const { subject, center } = openPerson(call);
    const centerConfig = registry.findByCenter(center);
    if (centerConfig === undefined) throw new Problem('not-found');
    const [schema, record, centers] = await lookUp(center, subject);
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
