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
 * The fields that forms post, beside those that a model names itself:
 *   token           every form: the sealed token
 *   purpose         preferences: ids of the ticked purposes
 *   renew           preferences: ids of the purposes to renew
 *   action          preferences: `save` or `subscribe-all`, by the button
 *   keep-language   preferences: when ticked, the tag of the person's new language
 *   reason          unsubscribe: ids of the ticked reasons; `other` for own words
 *   reason-text     unsubscribe: the reason in own words
 *   email           sign-in: the address
 *   code            passcode: its six or eight digits
 *   here            preferences, undo: set by a script that shows the result over the form;
 *                   the page's id in its address, or ''
 *   leaving         one button: a sealed token with the visitor who was asked to switch persons
 *   link            hosted link: the fragment of its address
 *   held            passcode, one button: a sealed post that waits until the person has proved their identity
 */

/** Every page that the product can show: the view's name → the data of its template. */
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

/** A page with a heading, a few lines, and links. */
export type PlainPage = Pick<OneButtonPage, 'layout' | 'lines' | 'links'>;
