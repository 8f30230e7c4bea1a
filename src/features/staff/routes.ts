import type { Router } from 'express';
import { addAudit } from './audit.ts';
import { addCenters, type StaffCenterParts } from './centers.ts';
import { createGuardedRouter, type Rule } from './guarded-router.ts';
import { addHome, type HomeParts } from './home.ts';
import { addHostedLinks, type HostedLinkParts } from './hosted-links.ts';
import { createKnownThings } from './known-things.ts';
import { createCenterNames, createNoticeNames, createSchemas } from './names.ts';
import { addNotices, type NoticeParts } from './notices.ts';
import { addPeople, type PeopleParts } from './people.ts';
import { addReceivers, type ReceiverParts } from './receivers.ts';
import { addSignIn, type SignInParts } from './sign-in.ts';
import { addStudio } from './studio.ts';
import { addSubmissions, type SubmissionParts } from './submissions.ts';
import { addTasks, type TaskParts } from './tasks.ts';
import { addWordings } from './wordings.ts';

export type StaffParts = SignInParts &
  NoticeParts &
  TaskParts &
  StaffCenterParts &
  Omit<
    HomeParts & SubmissionParts & PeopleParts & ReceiverParts & HostedLinkParts,
    'centerNames' | 'schemas'
  >;

/** Everything below `/staff`. `rules`: each guarded route and the role that it needs. */
export function staffRoutes(parts: StaffParts): { readonly router: Router; readonly rules: readonly Rule[] } {
  const guarded = createGuardedRouter(parts);
  const centerNames = createCenterNames(parts);
  const schemas = createSchemas(parts);
  const notices = createNoticeNames(parts);
  const known = createKnownThings(parts);
  addSignIn(guarded, parts);
  addHome(guarded, { ...parts, centerNames });
  addNotices(guarded, { ...parts, notices, known });
  addTasks(guarded, { ...parts, notices, known, centerNames });
  addCenters(guarded, parts);
  addStudio(guarded, { ...parts, centerNames });
  addSubmissions(guarded, { ...parts, centerNames, schemas });
  addWordings(guarded, { ...parts, centerNames });
  addPeople(guarded, { ...parts, centerNames, schemas });
  addReceivers(guarded, { ...parts, centerNames });
  addHostedLinks(guarded, { ...parts, centerNames });
  addAudit(guarded, parts);
  return { router: guarded.router, rules: guarded.rules };
}
