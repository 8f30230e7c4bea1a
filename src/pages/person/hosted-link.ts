import type { Center } from '../../core/model/center/center.ts';
import { messagesFor } from '../../i18n/catalogue.ts';
import { label } from '../../i18n/label.ts';
import type { HostedLinkPage } from '../every-page.ts';
import type { FormView } from '../form.ts';
import { buildLayout, type PageContext } from './layout.ts';

/** What stands where the platform's hosted pages stood: its script sends the link on, and without one it leads to a sign-in. */
export function buildHostedLinkPage(input: {
  readonly pageContext: PageContext;
  readonly language: string;
  readonly form: FormView;
  readonly centers: readonly { readonly center: Center; readonly href: string }[];
}): HostedLinkPage {
  const { pageContext, language, centers, form } = input;
  const { signIn, problems } = messagesFor(language);
  return {
    layout: buildLayout({ pageContext, center: undefined, language, title: signIn.title }),
    lines: centers.length === 0 ? [problems.notSignedIn.text, problems.openLink] : [signIn.intro],
    form,
    links: centers.map(({ center, href }) => ({
      href,
      label: center.title ?? label(center, language, 'sign-in-title'),
    })),
  };
}
