import type { Center } from '../../core/model/center/center.ts';
import type { CenterConfig, CenterRegistry } from '../../core/model/center/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import { matchLanguage } from '../../i18n/language.ts';
import { centerTitle } from '../../pages/person/preferences.ts';
import type { Platform } from '../../ports/platform.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import { sendCsv } from '../../web/download.ts';
import type { Render } from '../../web/render.ts';
import { allowOwnFrames, allowOwnFraming } from '../../web/security.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';
import { buildCenterPage, filterFindings, findingRows } from './pages/center.ts';
import { buildCenterList } from './pages/center-list.ts';
import { lintCenter } from './pages/lint.ts';
import { buildPreview } from './pages/preview.ts';
import { buildPreviewPage } from './pages/preview-page.ts';
import { queries } from './queries.ts';

/** By its type it can write to no center and read no person's record. */
export interface StaffCenterParts {
  readonly platform: Pick<Platform, 'listCenters' | 'findCenter'>;
  readonly registry: CenterRegistry;
  readonly brandOf: BrandOf;
  readonly render: Render;
}

/** Preference centers, to be checked and looked at. */
export function addCenters(guarded: GuardedRouter, parts: StaffCenterParts): void {
  const { platform, registry, brandOf, render } = parts;

  async function findCenter(call: Call): Promise<{ center: Center; centerConfig: CenterConfig | undefined }> {
    const center = await platform.findCenter(call.parameter('id'));
    if (center === undefined) throw new Problem('not-found');
    return { center, centerConfig: registry.findByCenter(center.id) };
  }

  guarded.get('/centers', 'viewer', 'listed the centers', async (call) => {
    const centers = await platform.listCenters();
    const listed = centers.map((center) => ({
      ...center,
      servedAt: registry.findByCenter(center.id)?.name,
    }));
    await call.show(buildCenterList(call.pageContext, listed, call.asked(queries.centers)));
  });

  guarded.get('/centers/:id', 'viewer', 'opened a center', async (call) => {
    const { center, centerConfig } = await findCenter(call);
    const page = buildCenterPage(call.pageContext, {
      center,
      centerConfig,
      name: centerTitle(center, center.defaultLanguage),
      findings: lintCenter(center, centerConfig?.brand),
      filter: call.asked(queries.findings),
    });
    await call.show(page);
  });

  guarded.get('/centers/:id/findings.csv', 'viewer', 'exported the findings of a center', async (call) => {
    const { center, centerConfig } = await findCenter(call);
    const findings = filterFindings(lintCenter(center, centerConfig?.brand), call.asked(queries.findings));
    sendCsv(call.response, `findings-${center.id}`, findingRows(findings));
  });

  const branded = () => (registry.listed ?? []).filter((one) => one.brand !== undefined);

  /** What a preview shows, as its address says; what that does not say is usual. */
  function chosenOf(call: Call, center: Center, usualBrand: string) {
    const brand = call.request.query['brand'] === undefined ? usualBrand : call.query('brand');
    return {
      page: call.query('page') || undefined,
      lang: matchLanguage(center.languages, call.query('lang')) ?? center.defaultLanguage,
      state: call.query('state') || 'new',
      brand: branded().some(({ name }) => name === brand) ? brand : '',
    };
  }

  guarded.get('/centers/:id/preview', 'viewer', 'looked at a preview', async (call) => {
    const { center, centerConfig } = await findCenter(call);
    const usualBrand = centerConfig?.brand === undefined ? '' : centerConfig.name;
    allowOwnFrames(call.response);
    await call.show(
      buildPreviewPage(call.pageContext, {
        center,
        name: centerTitle(center, center.defaultLanguage),
        brands: branded(),
        chosen: chosenOf(call, center, usualBrand),
        width: call.query('width'),
      }),
    );
  });

  guarded.get('/centers/:id/preview/page', 'viewer', 'looked at a previewed page', async (call) => {
    const { center } = await findCenter(call);
    const { page, lang, state, brand } = chosenOf(call, center, '');
    const built = buildPreview({
      center,
      page,
      language: lang,
      state,
      brandName: brand,
      brand: brandOf(
        branded().find(({ name }) => name === brand),
        center.title,
      ),
      stands: call.query('alone') === '' ? 'framed' : 'alone',
    });
    if (built === undefined) throw new Problem('not-found');
    allowOwnFraming(call.response);
    await render(call.response, 'preview/center', built);
  });
}
