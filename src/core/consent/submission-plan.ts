import type { ShownWords } from '../model/evidence/evidence.ts';
import type { Visit } from '../model/person/visit.ts';
import { type Intent, isEmptyIntent, noIntent, withdrawalsOf } from '../model/submission/intent.ts';
import type { FormFacts } from '../model/submission/submission-request.ts';
import { drawnByDefault, factsOf, shownBy } from './form-snapshot.ts';
import type { Mistake } from './mistake.ts';
import { nonces } from './nonce.ts';
import { postedWithin, withinScope } from './scope.ts';
import {
  type PostedForm,
  type ReadSubmission,
  type Refusal,
  type Review,
  readSubmission,
} from './submission.ts';

/** A submission that a form asks for. */
export interface PlannedSubmission {
  readonly nonce: string;
  readonly intent: Intent;
  readonly form: FormFacts;
  readonly shown: ShownWords | undefined;
  readonly drawnByDefault?: readonly string[] | undefined;
  /** `none`: no caller waits for the result. */
  readonly wait: 'result' | 'none';
}

/** The additions to the record when a post is shown again. */
export interface ShownAgain {
  readonly draft: Intent;
  readonly mistakes?: readonly Mistake[] | undefined;
  readonly review?: Review | undefined;
  /** Purposes that were switched off and that the page shows no more. */
  readonly outOfSight?: readonly string[] | undefined;
  /** True if only the withdrawals are submitted already. */
  readonly isPartlyTaken?: boolean | undefined;
}

/** The decision about a post. `withdrawNow` is submitted before anything else, in its order. */
export type SubmissionPlan =
  | { readonly kind: 'refuse'; readonly reason: Refusal }
  | { readonly kind: 'submit'; readonly submission: PlannedSubmission }
  | { readonly kind: 'ask-for-more-rights'; readonly withdrawNow: readonly PlannedSubmission[] }
  | {
      readonly kind: 'show-again';
      readonly withdrawNow: readonly PlannedSubmission[];
      /** The withdrawals of a form with mistakes, which are submitted while the platform is away. */
      readonly withdrawWhileAway?: readonly PlannedSubmission[] | undefined;
      readonly again: ShownAgain;
    };

/**
 * Decides about a posted form.
 * 1. A post about something that was not shown, or not to this person, is refused.
 * 2. A post beyond the person's scope asks for more rights; its withdrawals are submitted at once.
 * 3. A post that can be carried out is submitted as one.
 * 4. Any other post is shown again. If only the schema changed, its withdrawals are submitted at once: they
 *    need no words.
 */
export function planSubmission(form: PostedForm & { readonly scope: Visit['scope'] }): SubmissionPlan {
  const { snapshot, scope } = form;
  const { posted, isBeyond } = postedWithin(form.posted, scope);
  const read = readSubmission({ ...form, posted });
  if (read.kind === 'refused') return { kind: 'refuse', reason: read.reason };

  const intent = read.kind === 'intent' ? read.intent : read.draft;
  const withdrawNow = withdrawalsOfForm(form, read, intent);
  if (isBeyond || !withinScope(intent, scope)) return { kind: 'ask-for-more-rights', withdrawNow };
  switch (read.kind) {
    case 'intent': {
      const nonce = nonces.ofForm(snapshot.nonce);
      const assumed = drawnByDefault(snapshot, form);
      const shown = shownBy(snapshot, { center: form.center, intent });
      const asked = { nonce, intent, form: factsOf(snapshot), shown, drawnByDefault: assumed };
      return { kind: 'submit', submission: { ...asked, wait: 'result' } };
    }
    case 'mistakes':
      return {
        kind: 'show-again',
        withdrawNow,
        withdrawWhileAway: withdrawalsIn(form, intent, []),
        again: { draft: intent, mistakes: read.mistakes },
      };
    case 'review': {
      const { reason, outOfSight } = read;
      return {
        kind: 'show-again',
        withdrawNow,
        again: { draft: intent, review: reason, outOfSight, isPartlyTaken: withdrawNow.length > 0 },
      };
    }
  }
}

type AnsweredForm = Pick<PostedForm, 'snapshot' | 'center'>;

/**
 * The withdrawals to submit at once from a form that is not submitted as a whole. A mistake or a review holds
 * them back, a changed schema does not.
 */
function withdrawalsOfForm(
  form: AnsweredForm,
  read: Exclude<ReadSubmission, { kind: 'refused' }>,
  intent: Intent,
): readonly PlannedSubmission[] {
  if (read.kind === 'mistakes') return [];
  if (read.kind === 'review' && read.reason !== 'schema-changed') return [];
  return withdrawalsIn(form, intent, read.kind === 'review' ? read.outOfSight : []);
}

function withdrawalsIn(
  { snapshot, center }: AnsweredForm,
  intent: Intent,
  outOfSight: readonly string[],
): readonly PlannedSubmission[] {
  const unseen = outOfSight.map((purpose) => ({ kind: 'off', purpose }) as const);
  const form = factsOf(snapshot);
  const { nonce } = snapshot;
  const parts = [
    { nonce: nonces.ofUnseen(nonce), intent: { ...noIntent, purposes: unseen }, wait: 'none' },
    { nonce: nonces.ofWithdrawals(nonce), intent: withdrawalsOf(intent), wait: 'result' },
  ] as const;
  return parts
    .filter((part) => !isEmptyIntent(part.intent))
    .map((part) => ({ ...part, form, shown: shownBy(snapshot, { center, intent: part.intent }) }));
}
