import * as z from 'zod';
import { readSubjectId, type SubjectId } from '../core/model/subject.ts';
import { sealedToken } from './sealed-token.ts';

const dayMs = 24 * 60 * 60 * 1000;

export const subjectId = z.custom<SubjectId>((value) => readSubjectId(value) !== undefined);

/** Whose link was not enough, sealed into the form that asks for another. */
export const freshLinkToken = sealedToken({
  use: 'fresh link',
  schema: z.object({ center: z.string(), subject: subjectId }),
  maxAgeMs: dayMs,
});

const heldPost = z.object({
  center: z.string(),
  subject: z.string(),
  /** Within the center: '' or beginning with a slash. */
  path: z.string().regex(/^(\/[^\s?#]*)?$/),
  fields: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
});

/** A post that waits until the person has shown who they are: where it went, and its fields. */
export type HeldPost = z.infer<typeof heldPost>;

export const heldPostToken = sealedToken({ use: 'held post', schema: heldPost, maxAgeMs: 'unlimited' });
