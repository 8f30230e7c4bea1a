import { startProduct } from './test/kit/product.ts';
import { chromium } from 'playwright-core';
import { createVisitor } from './test/kit/visitor.ts';
import { SignJWT } from 'jose';
import { mkdirSync } from 'node:fs';
const books = 'b00c5000-0000-4000-8000-000000000001';
const bank = 'ba4c0000-0000-4000-8000-000000000001';
const university = '0ca11000-0000-4000-8000-000000000001';
const secret = 'a secret of the staff journeys, of 32 bytes at least: q7Zr2Lw9';
const linkKeys = [{ issuer: 'https://shop.example', secret }];
const centersFile = [
  { address: 'books', center: books, linkKeys, brand: { name: 'Harbour & Sons', accent: '#0f5c4d' }, signIn: ['mail', 'passcode', 'link'] },
  { address: 'bank', center: bank, linkKeys },
  { address: 'university', center: university, linkKeys },
];
const wanted = process.argv[2]!.split(',');
const modes = (process.argv[3] ?? 'light').split(',');
const out = process.argv[4] ?? '/tmp/shots';
mkdirSync(out, { recursive: true });
const product = await startProduct({ env: { CENTERS_FILE: '{home}/centers.json' }, files: { 'centers.json': JSON.stringify(centersFile.map(({signIn, ...r}) => r)) } });
async function visit(center: string, identifier: string, path: string, fill: (form: any) => unknown) {
  const person = createVisitor(product.url, { 'accept-language': 'en' });
  const token = await new SignJWT({ scope: 'manage' }).setProtectedHeader({ alg: 'HS256' }).setIssuer('https://shop.example').setAudience(center).setSubject(identifier).setExpirationTime('5 minutes').sign(new TextEncoder().encode(secret));
  await person.open(`/centers/${center}?t=${token}`);
  const page = await person.open(`/centers/${center}${path}?lang=en`);
  await person.submit(page, fill as never, path === '' ? { name: 'action', value: 'save' } : undefined);
}
const reasonsOf = (form: any) => form.controls.filter((c: any) => c.name === 'reason').map((c: any) => c.value);
if (!process.env['NOSEED']) {
  for (const operation of ['withdraw-subject', 'update-subject']) await product.sandbox.addFault({ kind: '500', status: 400, operation, identifier: 'emil@example.org' });
  const tooMany = (form: any) => form.tick('reason', reasonsOf(form)[0]);
  await Promise.all([
    visit('books', 'anna@example.org', '/unsubscribe', tooMany),
    visit('books', 'jonas@example.org', '/unsubscribe', (form) => tooMany(form).tick('reason', 'other').type('reason-text', '=1+1 letters a day')),
    visit('university', 'lena@example.org', '/unsubscribe', (form) => form.tick('reason', reasonsOf(form)[1])),
    visit('bank', 'emil@example.org', '/unsubscribe', () => undefined),
  ]);
}
const paths: Record<string, string> = {
  start: '/staff', notices: '/staff/notices', notice: '/staff/notices/0071ce00-0000-4001-8000-000000002900?date=2026-05-27&count=through',
  tasks: '/staff/tasks', 'new-task': '/staff/tasks/new', task: '/staff/tasks/7a5c0000-0000-4000-8000-000000000007',
  'edit-task': '/staff/tasks/7a5c0000-0000-4000-8000-000000000007/edit', 'close-task': '/staff/tasks/7a5c0000-0000-4000-8000-000000000007/close',
  centers: '/staff/centers', center: `/staff/centers/${books}`, university: `/staff/centers/${university}`, bank: `/staff/centers/${bank}`,
  preview: `/staff/centers/${books}/preview?state=mixed&lang=en`, 'preview-ar': `/staff/centers/${books}/preview?state=mixed&lang=ar`,
  submissions: '/staff/submissions', people: '/staff/people', reasons: '/staff/reasons', audit: '/staff/audit', missing: '/staff/centers/nothing', 'signed-out': 'OUT/staff', gone: 'OUT/staff/notices', wrongkey: 'OUT/staff?key=x',
};
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const address = /^Staff: (\S+)$/m.exec(product.output())![1]!;
const first = await browser.newContext();
const p0 = await first.newPage(); await p0.goto(address);
const cookies = await first.cookies();
for (const id of ['3', '7']) await p0.goto(`${product.url}/staff/tasks/7a5c0000-0000-4000-8000-00000000000${id}`);
for (const mode of modes) {
  const context = await browser.newContext({ viewport: /phone/.test(mode) ? { width: 375, height: 812 } : { width: 1280, height: 900 }, colorScheme: /dark/.test(mode) ? 'dark' : 'light', javaScriptEnabled: !/noscript/.test(mode), forcedColors: /forced/.test(mode) ? 'active' : 'none' });
  const page = await context.newPage();
  for (const name of wanted) {
    let path = paths[name] ?? name;
    await context.clearCookies();
    if (path.startsWith('OUT')) path = path.slice(3); else await context.addCookies(cookies);
    await page.goto(product.url + path);
    if (/rtl/.test(mode)) await page.evaluate(`document.documentElement.dir='rtl'`);
    if (/big/.test(mode)) await page.evaluate(`document.documentElement.style.fontSize='200%'`);
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (Number(wide) > 0) console.log(`${name} ${mode}: ${wide} px too wide`);
    console.log(name, mode, 'height', await page.evaluate('document.documentElement.scrollHeight'));
    if (process.env['RUN']) console.log(JSON.stringify(await page.evaluate(process.env['RUN'])));
    await page.screenshot({ path: `${out}/${name.replaceAll(/\W+/g, '-')}-${mode}.png`, fullPage: true });
  }
  await context.close();
}
await browser.close();
await product.stop();
