import { Problem } from '../../core/model/problem.ts';
import { buildSignInMail } from '../../pages/mail/sign-in.ts';
import { centerTitle } from '../../pages/person/preferences.ts';
import { allowMailStyles, allowOwnFrames, allowOwnFraming } from '../../web/security.ts';
import { themeProperties } from '../../web/theme.ts';
import type { StaffCenterParts } from './centers.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';
import type { CenterNames } from './pages/names.ts';
import { buildPreview } from './pages/preview.ts';
import {
  buildStudioPage,
  readTriedBrand,
  type StudioDraft,
  studioHref,
  studioLooks,
} from './pages/studio.ts';

export type StudioParts = Pick<StaffCenterParts, 'platform' | 'registry' | 'brandOf' | 'render'> & {
  readonly centerNames: () => Promise<CenterNames>;
};

/** A look that is tried on a real page. It lives in the address alone. */
export function addStudio(guarded: GuardedRouter, parts: StudioParts): void {
  const { platform, registry, brandOf, render, centerNames } = parts;

  /** What the address says; where it says nothing, the first center with its own brand. */
  function draftOf(call: Call, centers: CenterNames): StudioDraft {
    const center = call.query('center').toLowerCase() || (centers[0]?.id ?? '');
    const brand = registry.findByCenter(center)?.brand;
    const isFresh = call.request.query['accent'] === undefined;
    const given = (name: string, usual: string | undefined) => (isFresh ? (usual ?? '') : call.query(name));
    return {
      center,
      accent: given('accent', brand?.accent ?? '#1f5eff'),
      radius: given('radius', String(brand?.radius ?? 14)),
      font: given('font', brand?.font),
      mark: given('mark', brand?.logoUrl),
    };
  }

  const nameOf = (centers: CenterNames, center: string) =>
    registry.findByCenter(center)?.brand?.name ?? centers.find(({ id }) => id === center)?.name ?? 'Sayso';

  guarded.get('/studio', 'viewer', 'opened the theme studio', async (call) => {
    const centers = await centerNames();
    const draft = draftOf(call, centers);
    const tried = readTriedBrand(draft, nameOf(centers, draft.center));
    allowOwnFrames(call.response);
    const page = buildStudioPage(call.pageContext, { centers, draft, tried });
    await call.show(page, tried.mistakes.length === 0 ? 200 : 422);
  });

  guarded.get('/studio/theme.css', 'viewer', 'looked at a theme', (call) => {
    const { brand } = readTriedBrand(draftOf(call, []), '');
    call.response.type('css').send(themeProperties(brand));
  });

  guarded.get('/studio/page', 'viewer', 'looked at a page in a theme', async (call) => {
    const centers = await centerNames();
    const draft = draftOf(call, centers);
    const [look] = studioLooks.find(([known]) => known === call.query('look')) ?? studioLooks[0];
    const center = await platform.findCenter(draft.center);
    if (center === undefined) throw new Problem('not-found');
    const { brand } = readTriedBrand(draft, nameOf(centers, draft.center));
    const view = {
      ...brandOf(undefined, brand.name),
      logoUrl: brand.logoUrl,
      themeHref: studioHref('theme.css', draft),
      scheme: look === 'dark' ? ('dark' as const) : ('light' as const),
    };
    const language = center.defaultLanguage;
    allowOwnFraming(call.response);
    if (look === 'mail') {
      allowMailStyles(call.response);
      const sample = { href: '#', code: '482913', minutes: 15 };
      const name = brand.name || (centerTitle(center, language) ?? '');
      const { page } = buildSignInMail({ language, brand: { ...view, name }, colours: brand, ...sample });
      return render(call.response, 'mail/message', page);
    }
    const page = buildPreview({
      center,
      page: undefined,
      language,
      state: 'mixed',
      brandName: '',
      brand: view,
      stands: 'framed',
      frame: look === 'frame' ? 'embedded' : 'top',
    });
    if (page === undefined) throw new Problem('not-found');
    await render(call.response, 'preview/center', page);
  });
}
