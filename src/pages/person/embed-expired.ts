import type { Center } from '../../core/model/center/center.ts';
import { messagesFor } from '../../i18n/catalogue.ts';
import type { PlainPage } from '../every-page.ts';
import { buildLayout, type PageContext } from './layout.ts';

/** A visit in a frame is over. Signing in is never framed: where it is offered, it opens on top. */
export function buildExpiredPage(input: {
  readonly pageContext: PageContext;
  readonly center: Center | undefined;
  readonly language: string;
  readonly signInHref: string | undefined;
  /** A form was sent, too late. */
  readonly wasPosted: boolean;
}): PlainPage {
  const { embed, session, problems } = messagesFor(input.language);
  const { signInHref } = input;
  return {
    layout: buildLayout({ ...input, title: session.ended }),
    lines: [
      ...(input.wasPosted ? [problems.formRefused.text] : []),
      embed.expired,
      ...(signInHref === undefined ? [] : [embed.signInOutside]),
    ],
    links: signInHref === undefined ? [] : [{ href: signInHref, label: embed.openOutside }],
  };
}
