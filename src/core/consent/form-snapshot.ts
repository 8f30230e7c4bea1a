import { type Center, itemsOf } from '../model/center.ts';
import type { ConsentRecord, RecordedStatus, Subject, SubjectId } from '../model/subject.ts';
import type { ShownForm } from '../model/submission-request.ts';
import type { ConsentStatus } from './status.ts';

/**
 * What a page drew and in which state: sealed into its form, so that a post can be read as the difference.
 * Times are epoch milliseconds.
 */
export interface FormSnapshot {
  readonly nonce: string;
  readonly center: string;
  readonly page: string;
  readonly revision: string;
  readonly subject: string;
  readonly at: number;
  readonly purposes: readonly PurposeSnapshot[];
  readonly dataElements: readonly { readonly id: string; readonly value: string }[];
  /** Purposes that were active on record and are not drawn; undefined in a form of an earlier release. */
  readonly undrawn?: readonly string[] | undefined;
  /** Shown again: what the person had just switched off. Left so, it is asked for once more, whatever became of it since. */
  readonly left?: readonly string[] | undefined;
}

/** What a page drew as on though nobody had asked. */
export function drawnByDefault({ purposes }: Pick<FormSnapshot, 'purposes'>): readonly string[] {
  return purposes.filter(({ status }) => status === 'on-by-default').map(({ id }) => id);
}

export interface PurposeSnapshot {
  readonly id: string;
  readonly status: ConsentStatus;
  /** Whether it was on record at all; `refused`: and off, or being switched off. */
  readonly onRecord?: 'refused' | 'otherwise' | undefined;
  /** Of what was off on record: how the platform had written that. */
  readonly rawStatus?: string | undefined;
  /** Topics shown as chosen. */
  readonly topics: readonly string[];
  /** Options shown as chosen. */
  readonly options: readonly { readonly preference: string; readonly option: string }[];
}

/** What a form knew of the record, to be kept with what it asks for. */
export function shownForm({ at, revision, purposes, undrawn }: FormSnapshot): ShownForm {
  const known = purposes.filter(({ onRecord }) => onRecord !== undefined).map(({ id }) => id);
  const refused = purposes.filter(({ onRecord }) => onRecord === 'refused').map(({ id }) => id);
  const rawStatuses = purposes.flatMap(({ id, rawStatus }) =>
    rawStatus === undefined ? [] : { purpose: id, status: rawStatus },
  );
  return {
    at,
    revision,
    onRecord: [...known, ...(undrawn ?? [])],
    refused: undrawn === undefined ? undefined : refused,
    ...(rawStatuses.length === 0 ? {} : { rawStatuses }),
  };
}

/** What is drawn as off although it is on record as on was refused here, just now or by the browser. */
export function knownOf(
  record: ConsentRecord | undefined,
  status: ConsentStatus,
): PurposeSnapshot['onRecord'] {
  if (record === undefined) return undefined;
  const isRefused = record.status === 'off' || (status === 'off' && record.status !== 'no-consent');
  return isRefused ? 'refused' : 'otherwise';
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

/** The record as a form showed it, to draw the form again where the platform cannot be asked. */
export function drawnSubject(
  { purposes, undrawn = [], dataElements }: FormSnapshot,
  { center, id }: { readonly center: Center; readonly id: SubjectId },
): Subject {
  const drawn = purposes.flatMap((line): ConsentRecord | ConsentRecord[] => {
    const { status, rawStatus, topics, options } = line;
    if (line.onRecord === undefined && (status === 'off' || status === 'on-by-default')) return [];
    const byPreference = Map.groupBy(options, ({ preference }) => preference);
    const preferences = [...byPreference].map(([preference, chosen]) => {
      return { id: preference, options: chosen.map(({ option }) => option) };
    });
    return { purpose: line.id, label: undefined, status: recordedAs[status], rawStatus, topics, preferences };
  });
  const others = undrawn.map((purpose): ConsentRecord => {
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
    purposes: [...drawn, ...others],
    dataElements: Object.fromEntries(values),
  };
}
