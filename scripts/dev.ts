/**
 * `npm run dev`: starts the product on the sandbox, with templates read at each request, and all pages in all
 * states at `/dev/gallery`. No setting mounts the gallery, and an image has neither this file nor the
 * samples.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { stopOnSignal } from '../src/cli/stop-on-signal.ts';
import { startSayso } from '../src/compose/product.ts';
import { readConfig } from '../src/config/environment.ts';
import { galleryRoutes } from '../test/samples/gallery.ts';
import { guardPage } from '../test/samples/page-guard.ts';

const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PLATFORM_'));
const env = { DATA_DIR: 'data/dev', DRAIN_SECONDS: '0', ...Object.fromEntries(kept), SANDBOX: 'on' };
const config = readConfig(env, (path) => readFileSync(path, 'utf8'));
stopOnSignal(await startSayso(config, { development: { gallery: galleryRoutes, guard: guardPage } }));
process.stdout.write(`Gallery: ${config.publicUrl.origin}/dev/gallery\n`);
