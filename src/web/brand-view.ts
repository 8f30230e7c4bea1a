import type { CenterConfig, CenterRegistry } from '../core/model/center-config.ts';
import type { BrandView } from '../pages/layout.ts';
import type { Assets } from './assets.ts';
import { publishIcon, publishTheme } from './theme.ts';

/**
 * How a center's brand reaches a page. `title` stands in where the settings name no brand, and is remembered for pages
 * that ask nobody.
 */
export type BrandOf = (centerConfig: CenterConfig | undefined, title: string | undefined) => BrandView;

/** Themes are published once, when the product starts. */
export function createBrandOf({
  assets,
  registry,
  productName,
}: {
  assets: Assets;
  registry: CenterRegistry;
  productName: string;
}): BrandOf {
  const themes = new Map(
    (registry.listed ?? []).map((centerConfig) => [
      centerConfig.name,
      {
        themeHref: publishTheme(assets, centerConfig.brand),
        iconHref: publishIcon(assets, centerConfig.brand),
      },
    ]),
  );
  const titles = new Map<string, string>();
  return (centerConfig, title) => {
    if (centerConfig !== undefined && title !== undefined) titles.set(centerConfig.center, title);
    const known = centerConfig === undefined ? undefined : titles.get(centerConfig.center);
    return {
      name: centerConfig?.brand?.name ?? title ?? known ?? productName,
      logoUrl: centerConfig?.brand?.logoUrl,
      themeHref: centerConfig && themes.get(centerConfig.name)?.themeHref,
      iconHref: centerConfig && themes.get(centerConfig.name)?.iconHref,
      showsName: centerConfig?.brand?.showName ?? true,
      headerLinks: centerConfig?.brand?.headerLinks ?? [],
      footerLinks: centerConfig?.brand?.footerLinks ?? [],
      stylesheetUrl: centerConfig?.brand?.stylesheetUrl,
      scheme: centerConfig?.brand?.scheme ?? 'auto',
    };
  };
}
