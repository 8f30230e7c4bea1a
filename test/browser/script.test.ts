import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useGallery } from './gallery.ts';

const gallery = useGallery();

const ordinary = '/centers/preferences/ordinary';
const open = (path: string) => gallery.open(path, { script: true, clock: true, quiet: true });

test('a note shows unsaved changes until they are undone, and undoing keeps the focus on the page', async () => {
  const page = await open(ordinary);
  const note = page.getByText('Unsaved changes');
  assert.equal(await note.count(), 0);
  await page.getByLabel('Poetry').check();
  await note.waitFor();
  await page.getByLabel('Poetry').uncheck();
  await note.waitFor({ state: 'detached' });
  await page.getByLabel('First name').fill('Anne');
  await note.waitFor();
  await page.getByRole('button', { name: 'Undo changes' }).click();
  await note.waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('First name').inputValue(), 'Anna');
  assert.equal(await page.evaluate('document.activeElement.id'), 'main', 'the focus stays on the page');
});

test('leaving asks first while there are unsaved changes, but saving does not', async () => {
  const page = await open(ordinary);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return dialog.dismiss();
  });
  await page.getByLabel('Poetry').check();
  await page.getByRole('link', { name: 'Offers' }).click();
  await page.waitForFunction('true');
  assert.deepEqual(asked, ['beforeunload']);
  await page.route('**/centers/harbour-books/news', (route) => route.fulfill({ body: 'saved' }));
  await page.getByRole('button', { name: 'Save preferences' }).click();
  await page.getByText('saved').waitFor();
  assert.deepEqual(asked, ['beforeunload']);
});

test('each switch shows "On" or "Off" beside it, hidden from screen readers', async () => {
  const page = await open(ordinary);
  const words = page.locator('.state');
  assert.deepEqual(await words.allTextContents(), ['On', 'Off', 'Off', 'On']);
  await page.getByLabel('Events near you').check();
  assert.deepEqual(await words.allTextContents(), ['On', 'On', 'Off', 'On']);
  await page.getByRole('button', { name: 'Undo changes' }).click();
  await page.clock.runFor(10);
  assert.deepEqual(await words.allTextContents(), ['On', 'Off', 'Off', 'On']);
  assert.equal(await page.getByRole('checkbox', { name: 'New books', exact: true }).count(), 1);
});

test('the list of mistakes has the focus, and its links lead to the fields', async () => {
  const page = await open('/centers/preferences/mistaken');
  assert.equal(await page.evaluate('document.activeElement.id'), 'mistakes');
  await page.getByRole('link', { name: /^How often: please/ }).click();
  assert.equal(await page.evaluate('document.activeElement.type'), 'radio');
  await page.getByRole('link', { name: /^Phone: please/ }).click();
  assert.equal(await page.evaluate('document.activeElement.id'), 'element-phone');
});

test('a typed reason has a counter of characters, and ticks its box', async () => {
  const page = await open('/centers/unsubscribe/reasons');
  const counter = page.locator('.counter');
  assert.equal(await counter.textContent(), '0 / 750');
  await page.getByLabel('Your reason').fill('Too 😀');
  assert.equal(await counter.textContent(), '5 / 750');
  assert.ok(await page.getByLabel('Another reason').isChecked());
});

test('a pending result is read again until it is done, and stays while it is unchanged', async () => {
  const page = await open('/centers/result/mixed');
  let asked = 0;
  await page.route('**/centers/result/mixed', async (route) => {
    asked += 1;
    const path = asked < 3 ? '/centers/result/mixed' : '/centers/result/ordinary';
    await route.fulfill({ response: await page.request.get(gallery.urlOf(path)) });
  });
  await page.evaluate('window.first = document.getElementById("result")');
  while (asked < 2) await page.clock.runFor(5_000);
  assert.ok(await page.evaluate('window.first.isConnected'), 'an equal result is not replaced');
  while (asked < 3) await page.clock.runFor(5_000);
  await page.getByRole('heading', { name: 'Your preferences are saved' }).waitFor();
  const done = asked;
  await page.clock.runFor(120_000);
  assert.equal(asked, done);
});

test('the end of the session is announced two minutes before, and can be prolonged without loss', async () => {
  const page = await open(ordinary);
  await page.route('**/centers/harbour-books/news', async (route) => {
    await route.fulfill({
      response: await page.request.get(gallery.urlOf('/centers/preferences/ordinary')),
    });
  });
  await page.getByLabel('Poetry').check();
  const dialog = page.getByRole('dialog', { name: 'Are you still there?' });
  await page.clock.runFor(27 * 60_000);
  assert.equal(await dialog.count(), 0);
  await page.clock.runFor(61_000);
  await dialog.waitFor();
  assert.match((await dialog.locator('[data-clock]').textContent()) ?? '', /^1:5\d$/);
  await dialog.getByRole('link', { name: 'Continue' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.ok(await page.getByLabel('Poetry').isChecked());
  await page.clock.runFor(27 * 60_000);
  assert.equal(await dialog.count(), 0);
});
