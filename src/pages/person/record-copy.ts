import type { RecordedSubmission } from '../../core/model/evidence/evidence.ts';
import type {
  ConsentRecordCopy,
  EventCopy,
  PurposeCopy,
  RecordCopy,
  RootProof,
} from '../../core/model/evidence/record-copy.ts';
import type { AroundText, WordsOfThen } from '../../core/model/evidence/wording.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import { type ItemResult, shownOutcome } from '../../core/model/submission/submission.ts';
import { isoDay } from '../../core/model/utc-time.ts';
import { createNames, createPageOrder, type NamesInput } from './names.ts';
import type { Paging } from './record.ts';
import { toldThen } from './words-of-then.ts';

interface RecordsInput extends NamesInput {
  readonly words: WordsOfThen;
  /** Proofs by reference, for submissions in the root of their day. */
  readonly proofs?: ReadonlyMap<string, RootProof> | undefined;
}

/** Makes the JSON of a submission, which may have thousands of items. */
export function createRecords(input: RecordsInput): (submission: RecordedSubmission) => string {
  const { center, words, proofs } = input;
  const nameOf = createNames(input);
  const inOrder = createPageOrder(center);
  return (submission) => {
    const { reference, channel, state, everything, undoes, undoneBy, evidence } = submission;
    const { asked, ended } = evidence ?? {};
    const { shown, onBehalf, linkMadeBy, isObjection } = asked ?? {};
    const items = inOrder(submission.items);
    const around = shown && words.around(shown.words);
    const { notice } = around ?? {};
    const proof = proofs?.get(reference);
    const record: ConsentRecordCopy = {
      '@type': 'dpv:ConsentRecord',
      record_id: reference,
      language: shown?.language,
      privacy_notice: notice?.address ?? notice?.id,
      party: partyOf(around),
      purposes: items.map((item) => purposeOf(item, submission, { words, nameOf })),
      events: eventsOf(submission, items),
      'sayso:state': state,
      'sayso:channel': channel,
      'sayso:words': shown?.by ?? 'not-read',
      'sayso:wording': shown?.words,
      'sayso:title': around?.title,
      'sayso:button': around === undefined ? undefined : everything ? around.unsubscribeAll : around.save,
      'sayso:notice': notice && { id: notice.id, name: notice.name },
      'sayso:page': shown?.page,
      'sayso:template': shown?.template,
      'sayso:everything': everything,
      'sayso:globalPrivacyControl': submission.globalPrivacyControl,
      'sayso:objection': isObjection,
      'sayso:onBehalf': onBehalf,
      'sayso:linkMadeBy': linkMadeBy?.name,
      'sayso:undoes': undoes,
      'sayso:undoneBy': undoneBy,
      'sayso:receipts': submission.receipts,
      'sayso:asked': asked,
      'sayso:ended': ended && { reference, ...ended },
    };
    const path = proof && { day: isoDay(proof.day), steps: proof.path };
    return JSON.stringify({ ...record, 'sayso:path': path });
  };
}

/** Builds the JSON to sign. `records`: the JSON of each submission, by `createRecords`. */
export function buildRecordCopy(
  input: Pick<RecordsInput, 'center' | 'language' | 'proofs'> & {
    readonly issuer: string;
    /** The id of this file. */
    readonly id: string;
    readonly now: number;
    readonly visit: Pick<Visit, 'subject'>;
    readonly paging: Paging;
  },
  records: readonly string[],
): string {
  const { center, language, visit, proofs } = input;
  const copy: Omit<RecordCopy, 'records'> = {
    '@context': { dpv: 'https://w3id.org/dpv#', sayso: `${input.issuer}/.well-known/sayso/record#` },
    '@type': 'dpv:ConsentReceipt',
    schema_version: 'ISO/IEC TS 27560:2023',
    receipt_id: input.id,
    iss: input.issuer,
    sub: visit.subject,
    pii_principal_id: visit.subject,
    'sayso:issuedAt': isoOf(input.now),
    'sayso:center': { id: center.id, title: center.title },
    'sayso:language': language,
    'sayso:total': input.paging.total,
    'sayso:part': input.paging.page,
    'sayso:parts': input.paging.pages,
    'sayso:roots': rootsOf(proofs),
  };
  return `${JSON.stringify(copy).slice(0, -1)},"records":[${records.join()}]}`;
}

/** One root for each day. */
function rootsOf(proofs: ReadonlyMap<string, RootProof> | undefined): RecordCopy['sayso:roots'] {
  const roots = new Map([...(proofs?.values() ?? [])].map(({ day, signed }) => [day, signed]));
  return roots.size === 0 ? undefined : [...roots.values()];
}

function partyOf(around: AroundText | undefined): ConsentRecordCopy['party'] {
  const { controller, rightsContact } = around ?? {};
  if (controller === undefined && rightsContact === undefined) return undefined;
  return [{ party_role: 'dpv:DataController', party_name: controller, party_contact: rightsContact }];
}

const types = {
  purpose: 'dpv:Purpose',
  'data-element': 'dpv:PersonalData',
  language: 'dpv:Language',
} as const;

function purposeOf(
  item: ItemResult,
  submission: RecordedSubmission,
  { words, nameOf }: { readonly words: WordsOfThen; readonly nameOf: ReturnType<typeof createNames> },
): PurposeCopy {
  const { change, text, choices } = toldThen(item, submission, words);
  const digest = submission.evidence?.asked.shown?.words;
  return {
    '@type': types[item.what],
    purpose: text?.name ?? nameOf(item).text,
    'sayso:id': item.id,
    description: text?.description,
    lawful_basis: item.what === 'purpose' ? 'dpv:Consent' : undefined,
    'sayso:version': change?.version ?? text?.version,
    'sayso:text': text === undefined || digest === undefined ? undefined : words.digest(digest, item.id),
    'sayso:change': item.change,
    'sayso:from': change?.from,
    'sayso:choices': choices.length === 0 ? undefined : choices,
    'sayso:outcome': shownOutcome(item),
    'sayso:receipt': item.receipt,
  };
}

function eventsOf(submission: RecordedSubmission, items: readonly ItemResult[]): readonly EventCopy[] {
  const { evidence, submittedAt, doneAt } = submission;
  const { asked, ended } = evidence ?? {};
  const at = (time: number | undefined, event_type: EventCopy['event_type'], purpose?: string) =>
    time === undefined ? [] : [{ event_time: isoOf(time), event_type, 'sayso:purpose': purpose }];
  const purposes = items.filter(({ what, change }) => what === 'purpose' && change !== 'keep');
  const endedAt = ended?.endedAt ?? doneAt;
  return [
    ...at(asked?.shown?.at, 'sayso:shown'),
    ...at(submittedAt, 'sayso:accepted'),
    ...at(ended?.sentAt, 'sayso:sent'),
    ...purposes.flatMap((item) => at(endedAt, consentOf(item), item.id)),
    ...at(endedAt, 'sayso:ended'),
  ];
}

/** The consent after this item, as far as the platform has recorded it. */
function consentOf(item: ItemResult): EventCopy['event_type'] {
  const outcome = shownOutcome(item);
  if (outcome === 'waiting') return 'dpv:ConsentRequested';
  const isOnRecord = outcome === 'saved' || outcome === 'unchanged';
  if (!isOnRecord) return outcome === 'withdrawn-elsewhere' ? 'dpv:ConsentWithdrawn' : 'dpv:ConsentUnknown';
  if (item.change === 'on') return 'dpv:ConsentGiven';
  return item.change === 'adjust' || item.change === 'add'
    ? 'dpv:RenewedConsentGiven'
    : 'dpv:ConsentWithdrawn';
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
