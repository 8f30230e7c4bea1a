import { Router } from 'express';
import { direction, htmlLanguage, type LocalizedText } from '../../i18n/language.ts';
import type { StartCenter } from '../../pages/every-page.ts';
import { plainLayout } from '../../pages/layout.ts';
import { languageNameAmong } from '../../pages/person/layout.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import type { Render } from '../../web/render.ts';

/** A sandbox person, with a link that opens their page. */
export interface ReadyMade {
  readonly centerName: string;
  readonly template: string;
  readonly name: string;
  readonly language: string;
  readonly about: string;
  readonly href: string;
  /** undefined if the center has no sign-in. */
  readonly signInHref: string | undefined;
}

export interface StartParts {
  /** undefined with a tenant: the start page then shows no person. */
  readonly readyMade: (() => readonly ReadyMade[]) | undefined;
  readonly more: readonly { readonly href: string; readonly label: string; readonly text: string }[];
  readonly brandOf: BrandOf;
  readonly render: Render;
}

/** `/`: in the sandbox an overview of what to try, otherwise a page that says how to get a link. */
export function startRoutes({ readyMade, more, brandOf, render }: StartParts): Router {
  const router = Router();
  router.get('/', async (_request, response) => {
    if (readyMade === undefined) {
      return render(response, 'start/plain', {
        layout: plainLayout('Your preferences', brandOf(undefined, undefined)),
        lines: [
          'Open this page by the link in a message that you received, or from the site that sent you here.',
          'The link knows which preferences are yours.',
        ],
        links: [],
      });
    }
    await render(response, 'start/sandbox', {
      layout: plainLayout('Sayso, on its sandbox', brandOf(undefined, undefined)),
      lines: [
        'Nothing here leaves this machine: a built-in platform holds made-up centers and people. Open anyone’s page, change it, and see what is kept.',
      ],
      centers: byCenter(readyMade()),
      more: { title: 'What else is here', links: more },
    });
  });
  return router;
}

function byCenter(people: readonly ReadyMade[]): readonly StartCenter[] {
  const groups = Map.groupBy(people, (person) => person.centerName);
  return [...groups].map(([name, members]) => ({
    name,
    template: templateName(members[0]?.template ?? ''),
    people: members.map(({ name: person, about, language, href }) => {
      return { name: person, about, language: inItself(language), href };
    }),
    signIn: signInOf(members[0]?.signInHref),
  }));
}

function signInOf(href: string | undefined): StartCenter['signIn'] {
  if (href === undefined) return undefined;
  return { href, label: 'Sign in', text: 'As one of them does it; messages land in the mailbox below.' };
}

function templateName(template: string): string {
  if (template === 'MULTIPAGE') return 'Multi Page template';
  return `${template.slice(0, 1)}${template.slice(1).toLowerCase()} template`;
}

function inItself(tag: string): LocalizedText {
  return { text: languageNameAmong([tag], tag), lang: htmlLanguage(tag), dir: direction(tag) };
}
