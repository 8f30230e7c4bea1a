/**
 * `node scripts/compare.ts <checkout of the last release> [folder] [?lang=…&brand=…&scheme=…&width=phone]`
 * takes pictures of the gallery of both checkouts, and writes a page with those that differ, side by side.
 * The packages of the other checkout must be installed.
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '../test/browser/browser.ts';
import type * as gallery from '../test/samples/gallery.ts';

const [release = '.', folder = join(tmpdir(), 'sayso-compare'), search = ''] = process.argv.slice(2);
const isPhone = new URLSearchParams(search).get('width') === 'phone';
const viewport = isPhone ? { width: 375, height: 812 } : { width: 1280, height: 900 };

mkdirSync(folder, { recursive: true });
const browser = await openBrowser();
try {
  const [then, now] = [await picturesOf(release), await picturesOf('.')];
  const paths = [...new Set([...then.keys(), ...now.keys()])];
  const other = paths.filter((path) => then.get(path)?.equals(now.get(path) ?? Buffer.of()) !== true);
  const rows = other.map((path) => {
    const name = path.replaceAll(/\W+/g, '-');
    const cells = [then, now].map((pictures, at) => {
      const picture = pictures.get(path);
      if (picture === undefined) return '<td>not there</td>';
      writeFileSync(join(folder, `${at}${name}.png`), picture);
      return `<td><img src="${at}${name}.png" alt=""></td>`;
    });
    return `<tr><th colspan="2">${path}</th></tr><tr>${cells.join('')}</tr>`;
  });
  const summary = `${other.length} of ${paths.length} pages look different`;
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Then and now</title><style>body { font: 1rem system-ui } table { inline-size: 100% } th { text-align: start } td { inline-size: 50%; vertical-align: top; background: #dfe3ea } img { max-inline-size: 100% }</style><h1>${summary}</h1><table>${rows.join('')}</table></html>`,
  );
  process.stdout.write(`${summary}: ${pathToFileURL(join(folder, 'index.html')).href}\n`);
} finally {
  await browser.close();
}

/** Takes a picture of each page of a checkout's own gallery, by path. */
async function picturesOf(checkout: string): Promise<ReadonlyMap<string, Buffer>> {
  const path = join(resolve(checkout), 'test', 'samples', 'gallery.ts');
  const { createGallery, galleryPaths }: typeof gallery = await import(pathToFileURL(path).href);
  const server = createGallery().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const context = await browser.newContext({ viewport, javaScriptEnabled: false });
  const page = await context.newPage();
  const pictures = new Map<string, Buffer>();
  for (const each of galleryPaths) {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${each}${search}`);
    pictures.set(each, await page.screenshot({ fullPage: true, animations: 'disabled' }));
  }
  await context.close();
  server.close();
  server.closeAllConnections();
  return pictures;
}
