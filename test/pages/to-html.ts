import { join } from 'node:path';
import { createAssets } from '../../src/web/assets.ts';
import { createToHtml } from '../../src/web/render.ts';

const root = join(import.meta.dirname, '../..');
const assets = createAssets({ publicDir: join(root, 'public') });

/** Renders a page to the HTML that the product serves. */
export const toHtml = createToHtml({ viewsDir: join(root, 'views'), assets, development: undefined });
