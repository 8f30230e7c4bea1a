import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isIdentifierValue } from '../../core/consent/identifier-element.ts';
import { keepSet } from '../../core/consent/merge-set.ts';
import { type Center, type DataElement, itemsOf } from '../../core/model/center/center.ts';
import { toldSentence } from '../../core/model/center/told-member.ts';
import type { IdentifierEncoding } from '../../core/model/person/identifiers.ts';
import type { Subject, SubjectId } from '../../core/model/person/subject.ts';
import type { HttpPlatform } from '../../upstream/platform.ts';
import { reasonOf, type Tell } from './report.ts';

type ElementsKey = 'dsDataElements' | 'DsDataElements';

interface Way {
  readonly dataElementsKey: ElementsKey;
  readonly identifierEncoding: IdentifierEncoding;
}

/** Returns a client of the same tenant that writes identifiers and data elements in another way. */
export type SpeakAs = (way: Way) => HttpPlatform;

interface Trial {
  readonly center: Center;
  readonly subject: SubjectId;
  readonly set: Way;
  readonly speakAs: SpeakAs;
  readonly tell: Tell;
  /** Milliseconds between two readings of the record. */
  readonly lookEveryMs: number;
}

/** Readings of the record until a value that was written counts as not taken. */
const looks = 12;

/**
 * Finds out, with the record of a person whom the operator names, how the tenant takes identifiers and data
 * elements. A value is written, read back and restored. Purposes are sent as they are on record.
 */
export async function checkPerson(trial: Trial): Promise<void> {
  const encoding = await findEncoding(trial);
  if (encoding !== undefined) await findElementsKey(trial, encoding);
}

/** Returns undefined if no record of the person can be read. */
async function findEncoding(trial: Trial): Promise<IdentifierEncoding | undefined> {
  const { center, subject, set, speakAs, tell } = trial;
  const about = 'identifier encoding';
  const isPlain = /^[\x21-\x7e]+$/.test(subject) && !/[%+]/.test(subject);
  const encodings = isPlain ? [set.identifierEncoding] : (['utf-8', 'percent'] as const);
  const takes: IdentifierEncoding[] = [];
  for (const encoding of encodings) {
    try {
      const platform = speakAs({ ...set, identifierEncoding: encoding });
      const { isNamed, told } = await platform.probeRecord(center.id, { subject, encoding });
      if (isNamed) takes.push(encoding);
      for (const member of told) tell('told', 'record', toldSentence(member));
    } catch (fault) {
      tell('fault', 'read a record', reasonOf(fault));
      return undefined;
    }
  }
  if (isPlain) {
    tell('ok', 'read a record', takes.length > 0 ? '' : 'nothing is on record of the person');
    tell('off', about, 'not tried: it needs a --person beyond ASCII');
    return set.identifierEncoding;
  }
  const [best] = takes;
  if (best === undefined)
    return void tell('fault', about, 'neither utf-8 nor percent is taken, or nothing is on record');
  const isSet = takes.includes(set.identifierEncoding);
  const advice = isSet ? '' : `: set PLATFORM_IDENTIFIER_ENCODING=${best}`;
  tell(isSet ? 'ok' : 'fault', about, `the tenant takes ${takes.join(' and ')}${advice}`);
  return isSet ? set.identifierEncoding : best;
}

async function findElementsKey(trial: Trial, identifierEncoding: IdentifierEncoding): Promise<void> {
  const { center, subject, set, speakAs, tell } = trial;
  const about = 'letter case of data elements';
  const first = speakAs({ ...set, identifierEncoding });
  try {
    const before = await first.readSubject(center.id, subject);
    const element = trialElement(center, before);
    if (element === undefined)
      return tell('off', about, 'not tried: the center has no text that a person may edit');
    const { label } = element;
    const original = before.dataElements[label] ?? '';
    const takes: ElementsKey[] = [];
    const mark = randomUUID().slice(0, 8);
    try {
      for (const [at, dataElementsKey] of (['dsDataElements', 'DsDataElements'] as const).entries()) {
        const platform = speakAs({ dataElementsKey, identifierEncoding });
        if (await isTaken(platform, trial, { label, value: `Sayso ${mark} ${at + 1}` }))
          takes.push(dataElementsKey);
      }
    } finally {
      const [dataElementsKey] = takes;
      const platform =
        dataElementsKey === undefined ? first : speakAs({ dataElementsKey, identifierEncoding });
      const isRestored = await isTaken(platform, trial, { label, value: original });
      if (!isRestored) tell('fault', about, `“${label}” of the person could not be put back as it was`);
    }
    const [best] = takes;
    const isSet = takes.includes(set.dataElementsKey);
    const taken = best === undefined ? 'the tenant takes neither' : `the tenant takes ${takes.join(' and ')}`;
    const advice = isSet || best === undefined ? '' : `: set PLATFORM_DATA_ELEMENTS_KEY=${best}`;
    tell(isSet ? 'ok' : 'fault', about, taken + advice);
  } catch (fault) {
    tell('fault', about, reasonOf(fault));
  }
}

/** The first center in which the letter case can be found out; the first center of all if there is none. */
export function trialCenter(centers: readonly Center[]): Center | undefined {
  return centers.find((center) => trialElement(center) !== undefined) ?? centers[0];
}

/** A plain text that the person may edit and that does not hold the person's identifier. */
function trialElement(center: Center, before?: Subject): DataElement | undefined {
  const elements = itemsOf(center).flatMap((item) => (item.kind === 'data-element' ? [item.element] : []));
  return elements.find(({ type, label, options, readOnly, hidden }) => {
    if (type !== 'text' || options.length > 0 || readOnly || hidden) return false;
    return before === undefined || !isIdentifierValue(before.dataElements[label] ?? '', before.id);
  });
}

/** Writes a value and reports whether it is on record, at once or a little later. */
async function isTaken(
  platform: HttpPlatform,
  { center, subject, lookEveryMs }: Trial,
  { label, value }: { readonly label: string; readonly value: string },
): Promise<boolean> {
  // The value is written even if the record shows it already: an earlier write may arrive late.
  const current = await platform.readSubject(center.id, subject);
  await platform.updateConsent(center.id, subject, {
    purposes: [...keepSet(center, current, []).values()],
    dataElements: { [label]: value },
    language: undefined,
  });
  for (let look = 0; look < looks; look += 1) {
    const { dataElements } = await platform.readSubject(center.id, subject);
    if ((dataElements[label] ?? '') === value) return true;
    await pause(lookEveryMs);
  }
  return false;
}
