import type { Center } from '../../core/model/center.ts';
import type { CenterConfig, CenterRegistry } from '../../core/model/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import { matchLanguage } from '../../i18n/language.ts';
import { centerTitle } from '../../pages/person/preferences.ts';
import { buildCenterPage, filterFindings, findingRows } from '../../pages/staff/center.ts';
import { buildCenterList } from '../../pages/staff/center-list.ts';
import { lintCenter } from '../../pages/staff/lint.ts';
import { readPaging } from '../../pages/staff/paging.ts';
import { buildPreview } from '../../pages/staff/preview.ts';
import type { Platform } from '../../ports/platform.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import type { Render } from '../../web/render.ts';
import { sendCsv } from './download.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';

/** By its type it can write to no center and read nobody's record. */
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

  const filterOf = (call: Call) => ({
    kind: call.query('kind'),
    language: call.query('language'),
    page: readPaging(call.request.query).page,
  });

  guarded.get('/centers', 'viewer', 'listed the centers', async (call) => {
    const centers = await platform.listCenters();
    const listed = centers.map((center) => ({
      ...center,
      servedAt: registry.findByCenter(center.id)?.name,
    }));
    const { page } = readPaging(call.request.query);
    const filter = { text: call.query('text').trim(), status: call.query('status'), page };
    await call.show(buildCenterList(call.pageContext, listed, filter));
  });

  guarded.get('/centers/:id', 'viewer', 'opened a center', async (call) => {
    const { center, centerConfig } = await findCenter(call);
    const page = buildCenterPage(call.pageContext, {
      center,
      centerConfig,
      name: centerTitle(center, center.defaultLanguage),
      brands: (registry.listed ?? []).filter((one) => one.brand !== undefined),
      findings: lintCenter(center, centerConfig?.brand),
      filter: filterOf(call),
    });
    await call.show(page);
  });

  guarded.get('/centers/:id/findings.csv', 'viewer', 'exported the findings of a center', async (call) => {
    const { center, centerConfig } = await findCenter(call);
    const findings = filterFindings(lintCenter(center, centerConfig?.brand), filterOf(call));
    sendCsv(call.response, `findings-${center.id}`, findingRows(findings));
  });

  guarded.get('/centers/:id/preview', 'viewer', 'looked at a preview', async (call) => {
    const { center } = await findCenter(call);
    const brandName = call.query('brand');
    const branded = (registry.listed ?? []).find((one) => one.name === brandName && one.brand !== undefined);
    const page = buildPreview({
      center,
      page: call.query('page') || undefined,
      language: matchLanguage(center.languages, call.query('lang')) ?? center.defaultLanguage,
      state: call.query('state'),
      brandName: branded?.name ?? '',
      brand: brandOf(branded, center.title),
    });
    if (page === undefined) throw new Problem('not-found');
    await render(call.response, 'preview/center', page);
  });
}
