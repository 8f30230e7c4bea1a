import { Router } from 'express';
import { streamCsv, streamLines } from '../../web/download.ts';
import { buildAuditPage, exportAudit, readAudit } from './audit.ts';
import { buildCenterPage, exportFindings, readCenter } from './center.ts';
import { showCenters } from './centers.ts';
import { erasePerson, exportPerson } from './erase.ts';
import { addRoute, type Call, type Handle, type Route } from './guarded-router.ts';
import { buildHomePage, readHome } from './home.ts';
import { showHostedLinks } from './hosted-links.ts';
import { withNames } from './names.ts';
import { buildNoticePage, readNotice } from './notice.ts';
import { buildNoticeList, readNotices } from './notices.ts';
import type { Page } from './page.ts';
import type { StaffParts } from './parts.ts';
import { findPerson, makeLink, showSearch } from './people.ts';
import { showPreview, showPreviewed } from './preview.ts';
import { buildReasonsPage, exportReasons, readReasons } from './reasons.ts';
import { buildReceiversPage, readReceivers, sendAgain } from './receivers.ts';
import { addSignIn, signOut } from './sign-in.ts';
import { showStudio, showTheme, showThemedPage } from './studio.ts';
import { buildSubmissionPage, readSubmission, retrySubmission } from './submission.ts';
import { buildSubmissionList, exportSubmissions, readSubmissions } from './submissions.ts';
import { buildTaskPage, readTask, turns } from './task.ts';
import { askTurn, createTask, editTask, showNewTask, showTaskForm, showTasks, takeTurn } from './tasks.ts';
import { showWithdrawing, withdraw } from './withdraw.ts';
import { buildWordingsPage, countWordings, exportEvidence } from './wordings.ts';

/** A handler that reads, builds a page of the result, and shows it. */
const page =
  <Read>(read: (call: Call) => Promise<Read>, build: (read: Read) => Page): Handle =>
  async (call) =>
    call.show(build(await read(call)));

export const routes: readonly Route[] = [
  ['get', '/', 'viewer', 'opened the staff pages', page(readHome, buildHomePage)],
  ['post', '/sign-out', 'viewer', 'signed out', signOut],

  ['get', '/notices', 'viewer', 'listed the notices', page(readNotices, buildNoticeList)],
  ['get', '/notices/:id', 'viewer', 'opened a notice', page(readNotice, buildNoticePage)],

  ['get', '/tasks', 'viewer', 'opened the tasks', showTasks],
  ['get', '/tasks/new', 'editor', 'opened the form for a new task', showNewTask],
  ['post', '/tasks/new', 'editor', 'created a task', createTask],
  ['get', '/tasks/:id', 'viewer', 'opened a task', page(readTask, buildTaskPage)],
  ['get', '/tasks/:id/edit', 'editor', 'opened the form of a task', showTaskForm],
  ['post', '/tasks/:id/edit', 'editor', 'edited a task', editTask],
  ...turns.flatMap((turn): readonly Route[] => [
    ['get', `/tasks/:id/${turn.verb}`, 'editor', `asked whether to ${turn.verb} a task`, askTurn(turn)],
    ['post', `/tasks/:id/${turn.verb}`, 'editor', turn.does, takeTurn(turn)],
  ]),

  ['get', '/centers', 'viewer', 'listed the centers', showCenters],
  ['get', '/centers/:id', 'viewer', 'opened a center', page(readCenter, buildCenterPage)],
  ['get', '/centers/:id/findings.csv', 'viewer', 'exported the findings of a center', exportFindings],
  ['get', '/centers/:id/preview', 'viewer', 'looked at a preview', showPreview],
  ['get', '/centers/:id/preview/page', 'viewer', 'looked at a previewed page', showPreviewed],
  ['get', '/studio', 'viewer', 'opened the theme studio', showStudio],
  ['get', '/studio/theme.css', 'viewer', 'looked at a theme', showTheme],
  ['get', '/studio/page', 'viewer', 'looked at a page in a theme', showThemedPage],

  ['get', '/submissions', 'viewer', 'listed the submissions', page(readSubmissions, buildSubmissionList)],
  ['get', '/submissions.csv', 'viewer', 'exported submissions', exportSubmissions],
  [
    'get',
    '/submissions/:reference',
    'viewer',
    'opened a submission',
    page(readSubmission, buildSubmissionPage),
  ],
  ['post', '/submissions/:reference/retry', 'editor', 'tried a submission again', retrySubmission],
  ['get', '/reasons', 'viewer', 'read the reasons for leaving', page(readReasons, buildReasonsPage)],
  ['get', '/reasons.csv', 'viewer', 'exported the reasons for leaving', exportReasons],
  ['get', '/wordings', 'viewer', 'read what purposes said', page(countWordings, buildWordingsPage)],
  ['get', '/wordings.csv', 'viewer', 'exported evidence', exportEvidence(streamCsv)],
  ['get', '/wordings.jsonl', 'viewer', 'exported evidence', exportEvidence(streamLines)],
  [
    'get',
    '/receivers',
    'viewer',
    'looked at the receivers of events',
    page(readReceivers, buildReceiversPage),
  ],
  ['post', '/receivers', 'editor', 'sent events again', sendAgain],
  ['get', '/hosted-links', 'viewer', 'looked at the links of hosted pages', showHostedLinks],

  ['get', '/people', 'viewer', 'opened the search for a person', showSearch],
  ['post', '/people', 'viewer', 'searched for a person', findPerson],
  ['post', '/people/link', 'editor', 'made a link for a person', makeLink],
  ['post', '/people/choose', 'editor', 'looked up what a person could withdraw', showWithdrawing],
  ['post', '/people/withdraw', 'editor', 'withdrew on behalf of a person', withdraw],
  ['post', '/people/export', 'privacy', 'exported all about a person', exportPerson],
  ['post', '/people/erase', 'privacy', 'erased a person', erasePerson],

  ['get', '/audit', 'auditor', 'read the audit log', page(readAudit, buildAuditPage)],
  ['get', '/audit.csv', 'auditor', 'exported the audit log', exportAudit],
];

/** All routes below `/staff`. */
export function staffRoutes(parts: StaffParts): Router {
  const router = Router();
  router.use(parts.sessions.middleware);
  addSignIn(router, parts);
  const naming = withNames(parts);
  for (const route of routes) addRoute(router, naming, route);
  return router;
}
