import { Router } from 'express';
import { direction, htmlLanguage } from '../../i18n/language.ts';
import type { PlainPage, StartCenter, StartPage } from '../../pages/every-page.ts';
import type { BrandView } from '../../pages/layout.ts';
import { languageNameAmong, plainLayout } from '../../pages/person/layout.ts';
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
  router.get('/', (_request, response) => {
    const brand = brandOf(undefined, undefined);
    if (readyMade === undefined) return render(response, 'start/plain', buildPlainStartPage(brand));
    return render(response, 'start/sandbox', buildStartPage(readyMade(), more, brand));
  });
  return router;
}

export const buildPlainStartPage = (brand: BrandView): PlainPage => ({
  layout: plainLayout('Your preferences', brand),
  lines: [
    'Open this page by the link in a message that you received, or from the site that sent you here.',
    'The link knows which preferences are yours.',
  ],
  links: [],
});

export const buildStartPage = (
  people: readonly ReadyMade[],
  more: StartParts['more'],
  brand: BrandView,
): StartPage => ({
  layout: plainLayout('Sayso, on its sandbox', brand),
  lines: [
    'Nothing here leaves this machine: a built-in platform holds made-up centers and people. Open anyone’s page, change it, and see what is kept.',
  ],
  centers: byCenter(people),
  more: { title: 'What else is here', links: more },
});

const signIn = { label: 'Sign in', text: 'As one of them does it; messages land in the mailbox below.' };

function byCenter(people: readonly ReadyMade[]): readonly StartCenter[] {
  const groups = Map.groupBy(people, (person) => person.centerName);
  return [...groups].map(([name, members]) => {
    const [{ template = '', signInHref: href } = {}] = members;
    return {
      name,
      template: templateName(template),
      people: members.map(({ name: person, about, language, href }) => {
        const inItself = languageNameAmong([language], language);
        const own = { text: inItself, lang: htmlLanguage(language), dir: direction(language) };
        return { name: person, about, language: own, href };
      }),
      signIn: href === undefined ? undefined : { href, ...signIn },
    };
  });
}

function templateName(template: string): string {
  if (template === 'MULTIPAGE') return 'Multi Page template';
  return `${template.slice(0, 1)}${template.slice(1).toLowerCase()} template`;
}
