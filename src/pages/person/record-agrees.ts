import { canonical } from '../../core/model/canonical.ts';
import type { AskedEvidence, Salted } from '../../core/model/evidence/evidence.ts';
import type { ConsentRecordCopy, PurposeCopy, RecordCopy } from '../../core/model/evidence/record-copy.ts';
import type { WordsOfThen } from '../../core/model/evidence/wording.ts';
import type { ItemResult } from '../../core/model/submission/submission.ts';
import { toldThen } from './words-of-then.ts';

const kinds = {
  'dpv:Purpose': 'purpose',
  'dpv:PersonalData': 'data-element',
  'dpv:Language': 'language',
} as const;

/** The item that a record describes. */
export function itemOf(purpose: PurposeCopy): ItemResult {
  return {
    what: kinds[purpose['@type']],
    id: purpose['sayso:id'],
    change: purpose['sayso:change'],
    outcome: purpose['sayso:outcome'],
    receipt: purpose['sayso:receipt'],
  };
}

/**
 * Whether a record agrees with its own leaves and with the words that were shown. A root covers only the
 * leaves, so the holder of the key could sign other members around them. The outcome may differ: the leaf
 * keeps the one at its end. The members are listed here anew: a check by the function that issues them finds
 * none of its faults.
 */
export function agreesWithLeaves(
  { sub, 'sayso:center': { id: center } }: Pick<RecordCopy, 'sub' | 'sayso:center'>,
  record: ConsentRecordCopy,
  words: WordsOfThen,
): boolean {
  const { 'sayso:asked': asked, 'sayso:ended': ended, record_id: reference, purposes } = record;
  if (asked === undefined) return true;
  const { shown } = asked;
  const around = shown && words.around(shown.words);
  const acceptedAt = record.events.find(({ event_type: type }) => type === 'sayso:accepted')?.event_time;
  const ids = new Set(purposes.map((each) => each['sayso:id']));
  const said: readonly (readonly [unknown, unknown])[] = [
    [sub, asked.subject],
    [center, asked.center],
    [reference, asked.reference],
    [reference, ended?.reference ?? reference],
    [Date.parse(acceptedAt ?? ''), asked.acceptedAt],
    [record['sayso:channel'], asked.channel],
    [record['sayso:globalPrivacyControl'], asked.globalPrivacyControl],
    [record['sayso:everything'], asked.everything === true],
    [record['sayso:objection'], asked.isObjection],
    [record['sayso:onBehalf'], asked.onBehalf],
    [record['sayso:linkMadeBy'], asked.linkMadeBy?.name],
    [record['sayso:undoes'], asked.undoes],
    [record['sayso:words'], shown?.by ?? 'not-read'],
    [record['sayso:wording'], shown?.words],
    [record.language, shown?.language],
    ...(around === undefined ? [] : [[record['sayso:title'], around.title] as const]),
  ];
  const isNamed = asked.everything === true || (ended?.items ?? []).every(({ id }) => ids.has(id));
  return isNamed && said.every(isSame) && purposes.every((each) => isAsAsked(each, asked, words));
}

function isAsAsked(purpose: PurposeCopy, asked: Salted<AskedEvidence>, words: WordsOfThen): boolean {
  const { 'sayso:change': change, 'sayso:choices': choices = [] } = purpose;
  // A side effect of the platform was not asked for.
  if (change === 'keep') return true;
  const told = toldThen(itemOf(purpose), { evidence: { asked, ended: undefined } }, words);
  const { text } = told;
  const isHalf = told.change?.change === 'adjust' && (change === 'add' || change === 'reduce');
  const version = told.change?.version ?? text?.version;
  const named = (all: typeof choices) =>
    all.map(({ name, preference, ...each }) => ({ ...each, under: preference?.id, ...(text && { name }) }));
  const said: readonly (readonly [unknown, unknown])[] = [
    [isHalf ? told.change?.change : change, told.change?.change ?? (asked.everything && 'off')],
    [purpose['sayso:from'], told.change?.from],
    [named(choices), named(told.choices)],
    ...(version === undefined ? [] : [[purpose['sayso:version'], version] as const]),
    ...(text === undefined
      ? []
      : [[purpose.purpose, text.name] as const, [purpose.description, text.description] as const]),
  ];
  return said.every(isSame);
}

function isSame([one, other]: readonly [unknown, unknown]): boolean {
  return canonical({ is: one }) === canonical({ is: other });
}
