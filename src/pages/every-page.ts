import type { MailPage } from './mail.ts';
import type { OneButtonPage } from './person/one-button.ts';
import type { PreferencePage } from './person/preferences.ts';
import type { HostedLinkPage, ProblemPage } from './person/problem.ts';
import type { RecordPage } from './person/record.ts';
import type { ResultPage } from './person/result.ts';
import type { PasscodePage, SignInPage } from './person/sign-in.ts';
import type { UnsubscribePage } from './person/unsubscribe.ts';
import type { VerifyPage } from './person/verify.ts';
import type { PreviewPage, StaffPage } from './staff-page.ts';
import type { MailboxPage, StartPage } from './start.ts';

/*
 * The fields a form posts, beside those a model names itself:
 *   token           every form: the sealed token
 *   purpose         preferences: ids of the purposes that are ticked
 *   renew           preferences: ids of the purposes that are to be renewed
 *   action          preferences: `save` or `subscribe-all`, by the button
 *   keep-language   preferences: the tag of the language to be kept as the person's own, when ticked
 *   reason          unsubscribe: ids of the reasons that are ticked, `other` for the free one
 *   reason-text     unsubscribe: the words of the free one
 *   email           sign-in: the address
 *   code            passcode: the six digits
 *   here            preferences, undo: a script asks for the result over the form; the page's id in its address, or ''
 *   leaving         one button: sealed, who is asked before going on as somebody else
 *   link            hosted link: what stood behind the # of its address
 *   held            passcode, one button: a sealed post that waits for the person to show who they are
 */

/** Every page the product can show: view name → what its template may read. */
export interface Pages {
  'centers/preferences': PreferencePage;
  'centers/result': ResultPage;
  'centers/unsubscribe': UnsubscribePage;
  'centers/signed-out': PlainPage;
  'start/sandbox': StartPage;
  'start/plain': PlainPage;
  'start/mailbox': MailboxPage;
  'identity/sign-in': SignInPage;
  'identity/passcode': PasscodePage;
  'identity/hosted-link': HostedLinkPage;
  'identity/one-button': OneButtonPage;
  'mail/message': MailPage;
  'embed/expired': PlainPage;
  'record/record': RecordPage;
  'record/verify': VerifyPage;
  'errors/problem': ProblemPage;
  'staff/page': StaffPage;
  'staff/problem': ProblemPage;
  'preview/center': PreviewPage;
}

/** A heading, a few lines, and ways on. */
export type PlainPage = Pick<OneButtonPage, 'layout' | 'lines' | 'links'>;
