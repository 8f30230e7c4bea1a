import { isGuid } from '../core/model/center/center-config.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';
import type { ConsentAnswer } from '../core/model/submission/consent-update.ts';
import type { Platform } from '../ports/platform.ts';
import { type Client, successJson } from './client.ts';
import type { Answer } from './exchange.ts';
import { headerOf } from './identifier.ts';
import { transactionStatuses } from './members/records.ts';
import type { PlatformOptions } from './options.ts';
import { readLinkTokens } from './wire-link-tokens.ts';
import { readProfileEnds } from './wire-profile.ts';
import { emptySubject, readConsentAnswer, readSubjectAnswer, updateBody } from './wire-subject.ts';

/** A person has few: all are on one page. */
const linkTokensPath = '/api/consentmanager/v1/linktokens?size=100';

const profilesPath = '/api/consentmanager/v1/datasubjects/profiles';

type Subjects = Pick<
  Platform,
  'readSubject' | 'readEnds' | 'findLinkToken' | 'updateConsent' | 'withdrawAll'
>;

type CaptureSubject = (center: string, subject: SubjectId) => Promise<unknown>;

/** A person's record: read, replaced, withdrawn. Never cached. */
export function createSubjects(
  client: Client,
  options: PlatformOptions,
): Subjects & { readonly captureSubject: CaptureSubject } {
  const { identifierEncoding = 'refuse', dataElementsKey = 'dsDataElements', log, metrics } = options;
  const pathOf = (center: string) => {
    if (!isGuid(center)) throw new Problem('not-found');
    return `/api/consentmanager/v1/preferencecenters/${center.toLowerCase()}/datasubjects/preferences`;
  };
  const turnOf = (center: string, subject: SubjectId) => `${center.toLowerCase()} ${subject}`;
  const toldStatuses = new Set<string>();
  /** An unknown status counts as off; logged once. */
  const tellStatus = (center: string, status: string | undefined) => {
    if (status === undefined || Object.hasOwn(transactionStatuses, status)) return;
    if (toldStatuses.has(status) || toldStatuses.size >= mostStatuses) return;
    toldStatuses.add(status);
    const member = `record of a person: TransactionStatus = ${/^\w{1,40}$/.test(status) ? status : '?'} is read as off`;
    log?.warn('member of a center not honoured', { center, verdict: 'told', member });
  };
  return {
    async readSubject(center, subject, call) {
      const identifier = headerOf(subject, identifierEncoding);
      const answer = await client.call('read-subject', {
        path: pathOf(center),
        headers: { identifier },
        turnOf: turnOf(center, subject),
        ...call,
      });
      // Both mean that nothing is on record yet (docs/platform-api.md, Subject).
      if (answer.status === 404 || answer.status === 400) return emptySubject(subject);
      const dropped = (count: number) => {
        log?.warn('record read in part', { center, dropped: count });
        metrics?.dropped(center, count);
      };
      const read = readSubjectAnswer(successJson(answer), { subject, sentAs: identifier, dropped });
      for (const { rawStatus } of read.purposes) tellStatus(center, rawStatus);
      return read;
    },

    async captureSubject(center, subject) {
      const headers = { identifier: headerOf(subject, identifierEncoding) };
      const answer = await client.call('read-subject', {
        path: pathOf(center),
        headers,
        priority: 'background',
      });
      return answer.status === 404 || answer.status === 400 ? undefined : successJson(answer);
    },

    async readEnds(subject, call) {
      const identifier = headerOf(subject, identifierEncoding);
      const answer = await client.call('read-profile', {
        path: profilesPath,
        headers: { identifier },
        ...call,
      });
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
      const answer = await client.call('update-consent', {
        path: pathOf(center),
        headers: { identifier: headerOf(subject, identifierEncoding) },
        body: updateBody(update, dataElementsKey),
        turnOf: turnOf(center, subject),
        ...call,
      });
      return readWritten(answer);
    },

    async withdrawAll(center, subject, call) {
      const answer = await client.call('withdraw-all', {
        path: pathOf(center),
        headers: { identifier: headerOf(subject, identifierEncoding) },
        ...call,
        priority: call?.priority ?? 'withdrawal',
      });
      return readWritten(answer);
    },
  };
}

const mostStatuses = 100;

/** A success without a body says nothing about its items: the read-back will. */
async function readWritten(answer: Answer): Promise<ConsentAnswer> {
  if (answer.status < 300 && answer.body?.length === 0) return { items: [] };
  return readConsentAnswer(successJson(answer));
}
