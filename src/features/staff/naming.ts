import { createFindings } from './lint.ts';
import { createCenterNames, createKnownThings, createNoticeNames, createSchemas } from './names.ts';
import type { StaffParts } from './parts.ts';

export type NamingParts = ReturnType<typeof withNames>;

/** What the staff pages use, and what is read of the platform to name things. */
export function withNames(parts: StaffParts) {
  return {
    ...parts,
    centerNames: createCenterNames(parts),
    /** Name what was changed in submissions. */
    schemas: createSchemas(parts),
    notices: createNoticeNames(parts),
    known: createKnownThings(parts),
    findingsOf: createFindings(parts),
  };
}
