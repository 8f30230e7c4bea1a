import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Center, Centers } from './centers.ts';
import { type CatalogueEntry, idsIn } from './consent-schema.ts';
import type { Answer, Call, Endpoint } from './endpoint.ts';
import type { FaultAnswer } from './faults.ts';
import type { Json, JsonObject } from './json.ts';
import { type SubjectRecord, subjectAnswer } from './record.ts';
import { badRequest, centerNotFound, notFound } from './refusal.ts';
import type { SubjectRecords } from './subject-records.ts';
import {
  applyUpdate,
  applyWithdrawal,
  type Outcome,
  type Setting,
  type Transition,
  withoutEffectOn,
} from './transitions.ts';
import { readUpdateRequest } from './update-request.ts';

const PATH = '/api/consentmanager/v1/preferencecenters/:center/datasubjects/preferences';
const REMEMBERED = 5000;

export interface SubjectParts {
  readonly endpoint: Endpoint;
  readonly centers: Centers;
  readonly records: SubjectRecords;
  readonly now: () => Date;
  /** Creates a finder of purposes by folded id, in all centers; it serves one call. */
  readonly purposeFinder: () => (id: string) => CatalogueEntry | undefined;
}

/** Routes GET, PUT and DELETE of one person's preferences in one center. */
export function subjectRoutes({ endpoint, centers, records, now, purposeFinder }: SubjectParts): Router {
  /** Answers ready to send, by identifier and then by center. */
  const ready = new Map<string, Map<string, { center: Center; until: number; text: string }>>();
  records.onChange((identifier) => void ready.delete(identifier));

  function locate(call: Call): { center: Center; identifier: string } {
    const center = centers.findIn('PUBLISHED', call.parameter('center'));
    if (center === undefined) throw centerNotFound(call.parameter('center'));
    if (call.identifier === undefined) throw badRequest('The header identifier is required');
    return { center, identifier: call.identifier };
  }

  /** Writes a change without an await, so that calls never interleave. */
  function change(call: Call, transition: (record: SubjectRecord, setting: Setting) => Transition): Answer {
    const { center, identifier } = locate(call);
    const { fault } = call;
    const struck = (id: string) => fault?.purposes.length === 0 || fault?.purposes.includes(id) === true;
    const before = records.find(center, identifier);
    const { record: after, outcomes } = transition(before, {
      catalogue: center.catalogue,
      elsewhere: purposeFinder(),
      now: now().getTime(),
      refused: (id) => fault?.kind === 'refuse' && struck(id),
    });
    const record = fault?.kind === 'ignore' ? withoutEffectOn(struck, { before, after }) : after;
    const ignoresAll = fault?.kind === 'ignore' && fault.purposes.length === 0;
    if (!ignoresAll) records.save(center, identifier, record);
    return { body: answerItems(outcomes) };
  }

  /** Returns a look-up of ids, which is needed only for ids that are no UUID. */
  function isKnownIn(center: Center, identifier: string): (id: string) => boolean {
    let ids: Set<string> | undefined;
    return (id) => {
      ids ??= idsIn(center.catalogue).union(
        new Set(records.find(center, identifier).purposes.map((purpose) => purpose.id)),
      );
      return ids.has(id);
    };
  }

  return Router({ caseSensitive: true })
    .get(
      PATH,
      endpoint('read-subject', ['CONSENT', 'CONSENT_READ'], (call) => {
        const { center, identifier } = locate(call);
        const time = now().getTime();
        const known = ready.get(identifier)?.get(center.id);
        const isCalm = call.lags.length === 0 && call.fault?.kind !== 'unknown-subject';
        if (isCalm && known !== undefined && known.center === center && time < known.until)
          return { text: known.text };
        const answer = subjectAnswer({
          record: records.find(center, identifier, call.lags),
          catalogue: center.catalogue,
          identifier,
          language: center.language,
          now: time,
        });
        if (call.fault?.kind === 'unknown-subject') return unknown(answer.body, call.fault.answer);
        const text = JSON.stringify(answer.body);
        if (!isCalm || !records.isKnown(center, identifier)) return { text };
        if (ready.size >= REMEMBERED) ready.clear();
        const answers = ready.get(identifier) ?? new Map();
        ready.set(identifier, answers.set(center.id, { center, until: answer.until, text }));
        return { text };
      }),
    )
    .put(
      PATH,
      endpoint('update-subject', ['CONSENT'], (call) => {
        const { center, identifier } = locate(call);
        const request = readUpdateRequest(call.json(), isKnownIn(center, identifier));
        return change(call, (record, setting) => applyUpdate(record, request, setting));
      }),
    )
    .delete(
      PATH,
      endpoint('withdraw-subject', ['CONSENT'], (call) => change(call, applyWithdrawal)),
    );
}

/** Changes the true answer into one that says that nothing is on record. */
function unknown({ Purposes, ...rest }: JsonObject, answer: FaultAnswer | undefined): Answer {
  if (answer === '404') throw notFound('The data subject was not found');
  if (answer === '400') throw badRequest('No transactions for this data subject');
  const body: Record<string, Json> = { ...rest };
  if (answer === 'purposes-null') body['Purposes'] = null;
  else if (answer !== 'purposes-absent') body['Purposes'] = [];
  if (answer !== 'status-400') return { body };
  return { body: { ...body, Status: 400, DsDataElements: {} } };
}

/** Builds the items of the answer; all items of one call have the same receipt. */
function answerItems(outcomes: readonly Outcome[]) {
  const receipt = randomUUID();
  return {
    Purposes: outcomes.map(({ id, status, messages }) => ({
      Id: id,
      Status: status,
      ReceiptGuid: receipt,
      Messages: [...messages],
    })),
  };
}
