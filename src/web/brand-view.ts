import type { Address, Addresses } from '../core/model/center-config.ts';
import type { BrandView } from '../pages/layout.ts';
import type { Assets } from './assets.ts';
import { publishTheme } from './theme.ts';

/**
 * How a center's brand reaches a page. `title` stands in where the settings name no brand, and is remembered for pages
 * that ask nobody.
 */
export type BrandOf = (address: Address | undefined, title: string | undefined) => BrandView;

/** Themes are published once, when the house starts. */
export function createBrandOf({
  assets,
  addresses,
  productName,
}: {
  assets: Assets;
  addresses: Addresses;
  productName: string;
}): BrandOf {
  const themes = new Map(
    (addresses.listed ?? []).map((address) => [address.name, publishTheme(assets, address.brand)]),
  );
  const titles = new Map<string, string>();
  return (address, title) => {
    if (address !== undefined && title !== undefined) titles.set(address.center, title);
    const known = address === undefined ? undefined : titles.get(address.center);
    return {
      name: address?.brand?.name ?? title ?? known ?? productName,
      logoUrl: address?.brand?.logoUrl,
      themeHref: address === undefined ? undefined : themes.get(address.name),
      stylesheetUrl: address?.brand?.stylesheetUrl,
      scheme: address?.brand?.scheme ?? 'auto',
    };
  };
}
