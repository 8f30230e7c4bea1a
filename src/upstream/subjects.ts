import { isGuid } from '../core/model/center/center-config.ts';
import type { ToldMember } from '../core/model/center/told-member.ts';
import type { IdentifierEncoding } from '../core/model/person/identifiers.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';
import type { ConsentAnswer } from '../core/model/submission/consent-update.ts';
import type { Platform } from '../ports/platform.ts';
import { type Client, successJson } from './client.ts';
import { type Answer, header } from './exchange.ts';
import { headerOf } from './identifier.ts';
import { record } from './members/records.ts';
import { type ToldLog, ToldMembers } from './members/tell.ts';
import type { PlatformOptions } from './options.ts';
import { readLinkTokens, readProfileEnds } from './wire-person-lists.ts';
import * as wire from './wire-shape.ts';
import { emptySubject, readConsentAnswer, readSubjectAnswer, statuses, updateBody } from './wire-subject.ts';

/** The path of a person's link tokens. A person has few, so all are on one page. */
const linkTokensPath = '/api/consentmanager/v1/linktokens?size=100';

const profilesPath = '/api/consentmanager/v1/datasubjects/profiles';

const echoShape = wire.shape({ DataSubjectId: wire.text });

/** Reads, replaces and withdraws the record of a person, which is never cached. */
export function createSubjects(client: Client, options: PlatformOptions, logTold: ToldLog) {
  const { identifierEncoding = 'refuse', dataElementsKey = 'dsDataElements', log, metrics } = options;
  /** The path, headers and turn of a call about a record. */
  const callOf = (center: string, subject: SubjectId, encoding = identifierEncoding) => {
    if (!isGuid(center)) throw new Problem('not-found');
    const id = center.toLowerCase();
    return {
      path: `/api/consentmanager/v1/preferencecenters/${id}/datasubjects/preferences`,
      headers: { identifier: headerOf(subject, encoding) },
      turnOf: `${id} ${subject}`,
    };
  };
  return {
    async readSubject(center, subject, call) {
      const asked = callOf(center, subject);
      const answer = await client.call('read-subject', { ...asked, ...call });
      if (isNothing(answer)) return emptySubject(subject);
      const read = readSubjectAnswer(successJson(answer), {
        subject,
        sentAs: asked.headers.identifier,
        dropped(count) {
          log?.warn('record read in part', { center, dropped: count });
          metrics?.dropped(center, count);
        },
      });
      for (const { rawStatus } of read.purposes) {
        if (rawStatus !== undefined && !Object.hasOwn(statuses, rawStatus))
          logTold({ id: center, told: [unknownStatus(rawStatus)] });
      }
      return read;
    },

    async readEnds(subject, call) {
      const identifier = headerOf(subject, identifierEncoding);
      const about = { path: profilesPath, headers: { identifier } };
      const answer = await client.call('read-profile', { ...about, ...call });
      return readProfileEnds(successJson(answer), { subject, sentAs: identifier });
    },

    async findLinkToken(subject, token) {
      const identifier = headerOf(subject, identifierEncoding);
      const answer = await client.call('list-link-tokens', { path: linkTokensPath, headers: { identifier } });
      return readLinkTokens(successJson(answer), { subject, sentAs: identifier }).find(
        (each) => each.token === token,
      );
    },

    async updateConsent(center, subject, update, call) {
      const body = updateBody(update, dataElementsKey);
      return readWritten(await client.call('update-consent', { ...callOf(center, subject), body, ...call }));
    },

    async withdrawAll(center, subject, call) {
      const priority = call?.priority ?? 'withdrawal';
      return readWritten(
        await client.call('withdraw-all', { ...callOf(center, subject), ...call, priority }),
      );
    },

    /** The record of a person word for word; undefined if there is none. */
    async captureSubject(center: string, subject: SubjectId): Promise<unknown> {
      const call = { ...callOf(center, subject), priority: 'background' } as const;
      const answer = await client.call('read-subject', call);
      return isNothing(answer) ? undefined : successJson(answer);
    },

    /**
     * Reads the record of a person, and returns only what it tells about the tenant. `isNamed`: the answer
     * names the person exactly as asked for; `at`: time at the platform in epoch milliseconds, if the answer
     * has a date.
     */
    async probeRecord(
      center: string,
      { subject, encoding }: { subject: SubjectId; encoding: IdentifierEncoding },
    ) {
      const answer = await client.call('read-subject', callOf(center, subject, encoding));
      const time = Date.parse(header(answer, 'date') ?? '');
      const at = Number.isNaN(time) ? undefined : time;
      // There is no record, so there is no name.
      if (isNothing(answer)) return { isNamed: false, told: [], at };
      const body = successJson(answer);
      const told = new ToldMembers();
      told.look('record', body, record);
      return { isNamed: echoShape.read(body)?.DataSubjectId === subject, told: told.all, at };
    },
  } satisfies Partial<Platform> & Record<'captureSubject' | 'probeRecord', unknown>;
}

/** Both statuses mean that nothing is on record yet (docs/platform-api.md, Subject). */
function isNothing({ status }: Answer): boolean {
  return status === 404 || status === 400;
}

/** Tells of an unknown status, which counts as off. */
function unknownStatus(status: string): ToldMember {
  const value = /^\w{1,40}$/.test(status) ? status : '?';
  const path = 'record of a person: TransactionStatus';
  return { verdict: 'told', path, value, words: 'is read as off', count: 1 };
}

/** Reads the answer to a write. A success without a body says nothing about its items; the read-back will. */
async function readWritten(answer: Answer): Promise<ConsentAnswer> {
  if (answer.status < 300 && answer.body?.length === 0) return { items: [] };
  return readConsentAnswer(successJson(answer));
}
