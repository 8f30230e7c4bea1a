import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Center, Centers } from './centers.ts';
import type { CatalogueEntry } from './consent-schema.ts';
import type { Answer, Call, Desk } from './desk.ts';
import { deserialise, NOTHING_ON_RECORD, type SubjectRecord, serialise, subjectAnswer } from './record.ts';
import { badRequest, centerNotFound } from './refusal.ts';
import type { Seeds } from './seed.ts';
import type { Store } from './store.ts';
import { applyUpdate, applyWithdrawal, type Outcome, type Setting, type Transition } from './transitions.ts';
import { readUpdateRequest } from './update-request.ts';

const PATH = '/api/consentmanager/v1/preferencecenters/:center/datasubjects/preferences';
const REMEMBERED = 5000;

export interface SubjectParts {
  readonly desk: Desk;
  readonly centers: Centers;
  readonly store: Store;
  readonly seeds: Seeds;
  readonly now: () => Date;
  /** A purpose by folded id, wherever the platform has it. */
  readonly findPurpose: (id: string) => CatalogueEntry | undefined;
}

/** GET, PUT and DELETE of one person's preferences in one center. */
export function subjectRoutes({ desk, centers, store, seeds, now, findPurpose }: SubjectParts): Router {
  const ready = new Map<string, { center: Center; until: number; text: string }>();

  function locate(call: Call): { center: Center; identifier: string } {
    const center = centers.find(call.parameter('center'));
    if (center === undefined) throw centerNotFound(call.parameter('center'));
    if (call.identifier === undefined) throw badRequest('The header identifier is required');
    return { center, identifier: call.identifier };
  }

  function recordOf(center: Center, identifier: string): SubjectRecord {
    const stored = store.findSubject(center.id, identifier);
    if (stored !== undefined) return deserialise(stored);
    seeds.refresh(center);
    const seeded = store.findSubject(center.id, identifier);
    return seeded === undefined ? NOTHING_ON_RECORD : deserialise(seeded);
  }

  /** Writing is done before the next call is read: calls never interleave. */
  function change(call: Call, transition: (record: SubjectRecord, setting: Setting) => Transition): Answer {
    const { center, identifier } = locate(call);
    const { fault } = call;
    const struck = (id: string) => fault?.purposes.length === 0 || fault?.purposes.includes(id) === true;
    const { record, outcomes } = transition(recordOf(center, identifier), {
      catalogue: center.catalogue,
      elsewhere: findPurpose,
      now: now().getTime(),
      refused: (id) => fault?.kind === 'refuse' && struck(id),
    });
    if (fault?.kind !== 'ignore') {
      store.saveSubject(center.id, identifier, serialise(record));
      ready.delete(`${center.id} ${identifier}`);
    }
    return { body: answerItems(outcomes) };
  }

  return Router()
    .get(
      PATH,
      desk('read-subject', ['CONSENT', 'CONSENT_READ'], (call) => {
        const { center, identifier } = locate(call);
        const key = `${center.id} ${identifier}`;
        const time = now().getTime();
        const known = ready.get(key);
        if (known !== undefined && known.center === center && time < known.until) return { text: known.text };
        const answer = subjectAnswer({
          record: recordOf(center, identifier),
          catalogue: center.catalogue,
          identifier,
          language: center.language,
          now: time,
        });
        const text = JSON.stringify(answer.body);
        if (store.findSubject(center.id, identifier) === undefined) return { text };
        if (ready.size >= REMEMBERED) ready.clear();
        ready.set(key, { center, until: answer.until, text });
        return { text };
      }),
    )
    .put(
      PATH,
      desk('update-subject', ['CONSENT'], (call) => {
        locate(call);
        const request = readUpdateRequest(call.json());
        return change(call, (record, setting) => applyUpdate(record, request, setting));
      }),
    )
    .delete(
      PATH,
      desk('withdraw-subject', ['CONSENT'], (call) => change(call, applyWithdrawal)),
    );
}

/** All items of one call carry the same receipt. */
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
