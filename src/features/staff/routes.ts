import type { Router } from 'express';
import { addAudit } from './audit.ts';
import { addCenter } from './center.ts';
import { addCenters } from './centers.ts';
import { addErasing } from './erase.ts';
import { createGuardedRouter, type Rule } from './guarded-router.ts';
import { addHome } from './home.ts';
import { addHostedLinks } from './hosted-links.ts';
import { createCenterNames, createKnownThings, createNoticeNames, createSchemas } from './names.ts';
import { addNotice } from './notice.ts';
import { addNotices } from './notices.ts';
import type { StaffParts } from './parts.ts';
import { addPeople } from './people.ts';
import { addPreviews } from './preview.ts';
import { addReasons } from './reasons.ts';
import { addReceivers } from './receivers.ts';
import { addSignIn } from './sign-in.ts';
import { addStudio } from './studio.ts';
import { addSubmission } from './submission.ts';
import { addSubmissions } from './submissions.ts';
import { addTasks } from './tasks.ts';
import { addWithdrawing } from './withdraw.ts';
import { addWordings } from './wordings.ts';

/** Everything below `/staff`. `rules`: each guarded route and the role that it needs. */
export function staffRoutes(parts: StaffParts): { readonly router: Router; readonly rules: readonly Rule[] } {
  const guarded = createGuardedRouter(parts);
  const naming = {
    ...parts,
    centerNames: createCenterNames(parts),
    schemas: createSchemas(parts),
    notices: createNoticeNames(parts),
    known: createKnownThings(parts),
  };
  addSignIn(guarded, parts);
  const works = [
    ...[addHome, addNotices, addNotice, addTasks, addCenters, addCenter, addPreviews, addStudio],
    ...[addSubmissions, addSubmission, addReasons, addWordings, addPeople, addWithdrawing, addErasing],
    ...[addReceivers, addHostedLinks, addAudit],
  ];
  for (const add of works) add(guarded, naming);
  return guarded;
}
