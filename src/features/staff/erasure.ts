import type { SubjectId } from '../../core/model/person/subject.ts';

export const longestReason = 200;

/**
 * The mistake in a typed reason; undefined if it is valid. The reason is kept in the audit log, which names
 * no person.
 */
export function eraseMistake(reason: string, subject: SubjectId): string | undefined {
  if (reason === '') return 'Give the reason.';
  if (reason.length > longestReason) return `Reason: at most ${longestReason} characters.`;
  if (reason.toLowerCase().includes(subject.toLowerCase()))
    return 'Leave the identifier out: the reason is kept.';
  return undefined;
}

/** Texts that say why nothing was erased. */
export const onItsWay = {
  submission: 'something they asked for is still on its way to the platform.',
  event: 'a receiver of events is still being told of something they asked for.',
} as const;
