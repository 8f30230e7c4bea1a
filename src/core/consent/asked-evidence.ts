import { firstByKey } from '../model/by-key.ts';
import type {
  AskedChange,
  AskedEvidence,
  OptionPair,
  ShownPurpose,
  ShownWords,
} from '../model/evidence/evidence.ts';
import { choicesIn, type OptionChange, type PurposeChange } from '../model/submission/intent.ts';
import type { SubmissionRequest } from '../model/submission/submission-request.ts';

/** The evidence frozen when a submission is recorded. `now` in epoch milliseconds. */
export function askedEvidence(
  request: SubmissionRequest,
  { reference, now }: { readonly reference: string; readonly now: number },
): AskedEvidence {
  const { center, subject, channel, intent, shown, undoes, globalPrivacyControl } = request;
  const { purposes, ...words } = shown ?? {};
  return {
    reference,
    center,
    subject,
    channel,
    globalPrivacyControl,
    acceptedAt: now,
    ...present({ linkMadeBy: request.linkMadeBy, onBehalf: request.onBehalf, undoes }),
    ...(request.isObjection && { isObjection: true }),
    ...(shown && { shown: words as ShownWords }),
    ...(intent.everything && { everything: true }),
    changes: [
      ...intent.purposes.map((change) => changeOf(change, shown)),
      ...intent.dataElements.map(({ element }): AskedChange => {
        return { what: 'data-element', id: element, change: 'typed' };
      }),
      ...(intent.language === undefined
        ? []
        : [{ what: 'language', id: intent.language, change: 'language' } as const]),
    ],
  };
}

const shownAs = firstByKey<ShownPurpose>(({ purpose }) => purpose);

function changeOf(change: PurposeChange, shown: ShownWords | undefined): AskedChange {
  const { kind, purpose } = change;
  const { version, status: from } = (shown?.purposes && shownAs(shown.purposes, purpose)) ?? {};
  const asked = { what: 'purpose', id: purpose, change: kind, ...present({ version, from }) } as const;
  if (kind === 'off') return asked;
  const { topics, options } = choicesIn(change);
  return {
    ...asked,
    ...present({
      topicsOn: topics,
      topicsOff: change.topicsOff,
      optionsOn: options.map(pairOf),
      optionsOff: change.optionsOff.map(pairOf),
    }),
  };
}

function pairOf({ preference, option }: OptionChange): OptionPair {
  return [preference, option];
}

/** Drops members that are undefined or an empty list. */
function present<T extends object>(values: T): Partial<T> {
  const isPresent = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== undefined);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isPresent(value))) as Partial<T>;
}
