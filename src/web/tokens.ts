import * as z from 'zod';
import { readSubjectId, type SubjectId } from '../core/model/person/subject.ts';
import { lastingToken, sealedToken } from './sealed-token.ts';

export const subjectId = z.custom<SubjectId>((value) => readSubjectId(value) !== undefined);

/** The person of an expired or too weak link, sealed into the form that asks for a fresh one. */
export const freshLinkToken = sealedToken({
  use: 'fresh link',
  schema: z.object({ center: z.string(), subject: subjectId }),
});

const heldPost = z.object({
  center: z.string(),
  subject: z.string(),
  /** Path within the center: '' or a path with a leading slash. */
  path: z.string().regex(/^(\/[^\s?#]*)?$/),
  fields: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  /** True if the withdrawals of the form were accepted. */
  isPartlyTaken: z.boolean().optional(),
});

/** A POST that waits until the person has signed in: its path and fields. */
export type HeldPost = z.infer<typeof heldPost>;

export const heldPostToken = lastingToken({ use: 'held post', schema: heldPost });
