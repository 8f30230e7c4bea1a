import { isGuid } from '../core/model/center/center-config.ts';
import type { ToldMember } from '../core/model/center/told-member.ts';
import type { IdentifierEncoding } from '../core/model/person/identifiers.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';
import { type Client, successJson } from './client.ts';
import { header } from './exchange.ts';
import { headerOf } from './identifier.ts';
import { record } from './members/records.ts';
import { ToldMembers } from './members/tell.ts';
import * as wire from './wire-shape.ts';

/** What a record tells about the tenant, and nothing about the person. */
export interface Probed {
  /** Whether the answer names the person exactly as asked for. */
  readonly isNamed: boolean;
  readonly told: readonly ToldMember[];
  /** Time at the platform, epoch milliseconds; undefined: the answer has no date. */
  readonly at: number | undefined;
}

const echoShape = wire.shape({ DataSubjectId: wire.text });

export async function probeRecord(
  client: Client,
  { center, subject, encoding }: { center: string; subject: SubjectId; encoding: IdentifierEncoding },
): Promise<Probed> {
  if (!isGuid(center)) throw new Problem('not-found');
  const answer = await client.call('read-subject', {
    path: `/api/consentmanager/v1/preferencecenters/${center.toLowerCase()}/datasubjects/preferences`,
    headers: { identifier: headerOf(subject, encoding) },
  });
  const time = Date.parse(header(answer, 'date') ?? '');
  const at = Number.isNaN(time) ? undefined : time;
  // There is no record, so there is no name.
  if (answer.status === 404 || answer.status === 400) return { isNamed: false, told: [], at };
  const body = successJson(answer);
  const told = new ToldMembers();
  told.look('record', body, record);
  return { isNamed: echoShape.find(body)?.DataSubjectId === subject, told: told.all, at };
}
