import type { CenterConfig, CenterRegistry } from '../core/model/center/center-config.ts';
import type { BrandView } from '../pages/layout.ts';
import type { Assets } from './assets.ts';
import { publishIcon, publishTheme } from './theme.ts';

/**
 * The brand of a center as a page shows it. `title` is used if the settings name no brand; it is kept for
 * later pages that read no center.
 */
export type BrandOf = (centerConfig: CenterConfig | undefined, title: string | undefined) => BrandView;

/**
 * Publishes the themes of listed centers at the start and after a reload; other themes when they are first
 * shown.
 */
export function createBrandOf(parts: {
  readonly assets: Assets;
  readonly registry: CenterRegistry;
  readonly productName: string;
}): BrandOf {
  const { assets, registry, productName } = parts;
  type Theme = Pick<BrandView, 'themeHref' | 'fontHrefs' | 'iconHref'>;
  const themes = new Map<string, Theme>();
  function themeOf({ name, brand }: CenterConfig): Theme | undefined {
    if (brand === undefined) return undefined;
    return themes.getOrInsertComputed(name, () => {
      return { ...publishTheme(assets, brand), iconHref: publishIcon(assets, brand) };
    });
  }
  let listed = registry.listed;
  listed?.forEach(themeOf);
  const titles = new Map<string, string>();
  return (centerConfig, title) => {
    if (registry.listed !== listed) {
      listed = registry.listed;
      themes.clear();
      listed?.forEach(themeOf);
    }
    if (centerConfig !== undefined && title !== undefined) titles.set(centerConfig.center, title);
    const known = centerConfig === undefined ? undefined : titles.get(centerConfig.center);
    const brand = centerConfig?.brand;
    const theme = centerConfig === undefined ? undefined : themeOf(centerConfig);
    return {
      name: brand?.name ?? title ?? known ?? productName,
      // Without a logo, the brand's icon is shown as its mark.
      logoUrl: brand?.logoUrl ?? (brand?.iconFile === undefined ? undefined : theme?.iconHref),
      themeHref: theme?.themeHref,
      fontHrefs: theme?.fontHrefs ?? [],
      iconHref: theme?.iconHref,
      showsName: brand?.showName ?? true,
      headerLinks: brand?.headerLinks ?? [],
      footerLinks: brand?.footerLinks ?? [],
      stylesheetUrl: brand?.stylesheetUrl,
      scheme: brand?.scheme ?? 'auto',
    };
  };
}
