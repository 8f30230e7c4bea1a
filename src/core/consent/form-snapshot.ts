import { type Center, itemsOf, type Purpose } from '../model/center/center.ts';
import type { ShownPurpose, ShownWords } from '../model/evidence/evidence.ts';
import type { ConsentRecord, RecordedStatus, Subject, SubjectId } from '../model/person/subject.ts';
import type { Intent } from '../model/submission/intent.ts';
import type { FormFacts, FormPurpose } from '../model/submission/submission-request.ts';
import { purposesOf } from './merge-set.ts';
import { statusGiven } from './standing.ts';
import type { ConsentStatus } from './status.ts';

/**
 * The content of a shown page and its state. It is sealed into the form, so that a post can be read as the
 * difference. Times are epoch milliseconds.
 */
export interface FormSnapshot {
  readonly nonce: string;
  readonly center: string;
  readonly page: string;
  readonly revision: string;
  /** The language of the page and the digest of its wording. Absent if the center could not be read. */
  readonly language?: string | undefined;
  readonly words?: string | undefined;
  readonly subject: string;
  readonly at: number;
  /** The order of the person's desired state before the record was read. */
  readonly order: number;
  readonly purposes: readonly PurposeSnapshot[];
  readonly dataElements: readonly { readonly id: string; readonly value: string }[];
  /** Purposes that were active on record and are not shown; undefined: not known. */
  readonly hidden?: readonly string[] | undefined;
  /**
   * Purposes that the person had just switched off when the page was shown again. If they are still off in
   * the post, that is asked for again, whatever happened since.
   */
  readonly left?: readonly string[] | undefined;
  /**
   * Purposes that the person had just switched on when the page was shown again. If they are still on in the
   * post, that is asked for again, even if they are on by now.
   */
  readonly chosen?: readonly string[] | undefined;
  /** Purposes that the form offered to renew. */
  readonly renewable?: readonly string[] | undefined;
}

/** Purposes shown as on by default that a save may confirm; a leaving-only purpose never is one. */
export function drawnByDefault(
  { purposes, page: id }: Pick<FormSnapshot, 'purposes' | 'page'>,
  { center }: { readonly center: Pick<Center, 'pages'> },
): readonly string[] {
  const pages = center.pages.filter((page) => page.id === id);
  const closed = new Set(
    itemsOf({ pages }).map((item) => item.kind === 'purpose' && item.purpose.leavingOnly && item.purpose.id),
  );
  return purposes
    .filter(({ id, status }) => status === 'on-by-default' && !closed.has(id))
    .map(({ id }) => id);
}

export interface PurposeSnapshot {
  readonly id: string;
  readonly status: ConsentStatus;
  /** Present if the purpose was on record; `refused`: the purpose was off, or being switched off. */
  readonly onRecord?: 'refused' | 'otherwise' | undefined;
  /** The platform's own status; undefined: nothing was on record, or a call was removing it. */
  readonly recorded?: string | undefined;
  /** Topics shown as chosen. */
  readonly topics: readonly string[];
  /** Options shown as chosen. */
  readonly options: readonly { readonly preference: string; readonly option: string }[];
}

/** The facts about the record that a form knew; they are kept with the submission. */
export function factsOf(snapshot: FormSnapshot): FormFacts {
  const { at, order, revision, purposes, hidden, dataElements } = snapshot;
  const known = purposes.flatMap(({ id, onRecord, recorded }): FormPurpose[] => {
    const isOn = recorded === 'active' || recorded === 'always-active';
    return onRecord === undefined ? [] : [{ purpose: id, status: recorded, isOn }];
  });
  const others = hidden?.map((id): FormPurpose => ({ purpose: id, status: 'active', isOn: true }));
  const drawn = others && [...known, ...others];
  const filled = dataElements.filter(({ value }) => value !== '').map(({ id }) => id);
  return { at, order, revision, drawn, filled };
}

/**
 * The wording that a form showed for the purposes that it changes. `center` is the center as it was read now.
 */
export function shownBy(
  { at, language, words, page, revision, purposes }: FormSnapshot,
  { center, intent }: { readonly center: Center; readonly intent: Intent },
): ShownWords | undefined {
  if (language === undefined || words === undefined) return undefined;
  const known = center.revision === revision ? purposesOf(center) : new Map<string, Purpose>();
  const asked = new Set(intent.purposes.map(({ purpose }) => purpose));
  return {
    by: 'form',
    at,
    words,
    language,
    page,
    template: center.template,
    purposes: purposes.flatMap(({ id: purpose, status }): ShownPurpose[] =>
      asked.has(purpose) ? [{ purpose, status, version: known.get(purpose)?.version }] : [],
    ),
  };
}

/**
 * The state on record of a shown purpose. A purpose that is on record but shown as off was refused, here just
 * now or by the browser.
 */
export function knownOf(
  { record, isCalled }: { readonly record: ConsentRecord | undefined; readonly isCalled: boolean },
  status: ConsentStatus,
): Pick<PurposeSnapshot, 'onRecord' | 'recorded'> {
  if (record === undefined) return {};
  const isRefused = record.status === 'off' || (status === 'off' && record.status !== 'no-consent');
  const recorded = isCalled ? {} : { recorded: statusGiven(record) };
  return { onRecord: isRefused ? 'refused' : 'otherwise', ...recorded };
}

const recordedAs: Readonly<Record<ConsentStatus, RecordedStatus>> = {
  on: 'active',
  off: 'off',
  'on-by-default': 'implicit',
  waiting: 'pending',
  expired: 'expired',
  'locked-on': 'always-active',
  'locked-off': 'hard-opt-out',
};

/** The record as a form showed it, to show the form again while the platform is away. */
export function shownSubject(
  { purposes, hidden = [], dataElements }: FormSnapshot,
  { center, id }: { readonly center: Center; readonly id: SubjectId },
): Subject {
  const displayed = purposes.flatMap((line): ConsentRecord | ConsentRecord[] => {
    const { status, recorded, topics, options } = line;
    const rawStatus = status === 'off' && recorded === recorded?.toUpperCase() ? recorded : undefined;
    if (line.onRecord === undefined && (status === 'off' || status === 'on-by-default')) return [];
    const byPreference = Map.groupBy(options, ({ preference }) => preference);
    const preferences = [...byPreference].map(([preference, chosen]) => {
      return { id: preference, options: chosen.map(({ option }) => option) };
    });
    return { purpose: line.id, label: undefined, status: recordedAs[status], rawStatus, topics, preferences };
  });
  const others = hidden.map((purpose): ConsentRecord => {
    return { purpose, label: undefined, status: 'active', topics: [], preferences: [] };
  });
  const labels = new Map(
    itemsOf(center).flatMap((item) =>
      item.kind === 'data-element' ? [[item.element.id, item.element.label] as const] : [],
    ),
  );
  const values = dataElements.flatMap((line): [string, string][] => {
    const label = labels.get(line.id);
    return label === undefined ? [] : [[label, line.value]];
  });
  return {
    id,
    language: undefined,
    purposes: [...displayed, ...others],
    dataElements: Object.fromEntries(values),
  };
}
