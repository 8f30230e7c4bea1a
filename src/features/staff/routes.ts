import type { Router } from 'express';
import { addAudit } from './audit.ts';
import { createCenterNames } from './center-names.ts';
import { addCenters, type StaffCenterParts } from './centers.ts';
import { createDesk, type Rule } from './desk.ts';
import { addDoor, type DoorParts } from './door.ts';
import { addNotices, type NoticeParts } from './notices.ts';
import { addPeople, type PeopleParts } from './people.ts';
import { addSubmissions, type SubmissionParts } from './submissions.ts';
import { addTasks, type TaskParts } from './tasks.ts';

export type StaffParts = DoorParts &
  NoticeParts &
  TaskParts &
  StaffCenterParts &
  Omit<SubmissionParts & PeopleParts, 'centerNames'>;

/** Everything below `/staff`. `rules`: each guarded route and the role that it needs. */
export function staffRoutes(parts: StaffParts): { readonly router: Router; readonly rules: readonly Rule[] } {
  const desk = createDesk(parts);
  const centerNames = createCenterNames(parts);
  addDoor(desk, parts);
  addNotices(desk, parts);
  addTasks(desk, parts);
  addCenters(desk, parts);
  addSubmissions(desk, { ...parts, centerNames });
  addPeople(desk, { ...parts, centerNames });
  addAudit(desk, parts);
  return { router: desk.router, rules: desk.rules };
}
