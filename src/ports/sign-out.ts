import type { SubjectId } from '../core/model/subject.ts';

/** When this person last signed out on all devices, epoch milliseconds. */
export type SignedOutAt = (subject: SubjectId) => Promise<number | undefined>;
