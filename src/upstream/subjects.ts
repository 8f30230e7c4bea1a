import { isGuid } from '../core/model/center-config.ts';
import type { ConsentAnswer } from '../core/model/consent-update.ts';
import { Problem } from '../core/model/problem.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Platform } from '../ports/platform.ts';
import { type Client, successJson } from './client.ts';
import type { Answer } from './exchange.ts';
import { headerOf } from './identifier.ts';
import type { PlatformOptions } from './options.ts';
import { emptySubject, readConsentAnswer, readSubjectAnswer, updateBody } from './wire-subject.ts';

type Subjects = Pick<Platform, 'readSubject' | 'updateConsent' | 'withdrawAll'>;

/** A person's record: read, replaced, withdrawn. Never cached. */
export function createSubjects(client: Client, options: PlatformOptions): Subjects {
  const { identifierEncoding = 'refuse', dataElementsKey = 'dsDataElements', log, metrics } = options;
  const pathOf = (center: string) => {
    if (!isGuid(center)) throw new Problem('not-found');
    return `/api/consentmanager/v1/preferencecenters/${center.toLowerCase()}/datasubjects/preferences`;
  };
  const turnOf = (center: string, subject: SubjectId) => `${center.toLowerCase()} ${subject}`;
  return {
    async readSubject(center, subject, call) {
      const identifier = headerOf(subject, identifierEncoding);
      const answer = await client.call('read-subject', {
        path: pathOf(center),
        headers: { identifier },
        turnOf: turnOf(center, subject),
        ...call,
      });
      // Both mean that there is nothing on record yet (docs/platform-api.md, Subject).
      if (answer.status === 404 || answer.status === 400) return emptySubject(subject);
      const dropped = (count: number) => {
        log?.warn('record read in part', { center, dropped: count });
        metrics?.dropped(center, count);
      };
      return readSubjectAnswer(await successJson(answer), { subject, sentAs: identifier, dropped });
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

/** A success with no body says nothing of its items: the read-back will. */
async function readWritten(answer: Answer): Promise<ConsentAnswer> {
  if (answer.status < 300 && answer.body?.length === 0) return { items: [] };
  return readConsentAnswer(await successJson(answer));
}
