import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { canaries, findCanaries } from '../kit/canaries.ts';
import { productOf } from '../kit/for-suite.ts';
import { readForm } from '../kit/form.ts';
import { startProcess } from '../kit/product.ts';
import { createVisitor } from '../kit/visitor.ts';
import { books, linkTo, onRecord, openForm, send, switches } from './rig.ts';

const root = join(import.meta.dirname, '..', '..');

async function timed<T>(run: () => Promise<T>): Promise<T & { readonly ms: number }> {
  const began = performance.now();
  const result = await run();
  return { ...result, ms: performance.now() - began };
}

suite('A store that fails', () => {
  const product = productOf();

  test('by being locked: a 503 each time, nothing called upstream; and it recovers.', async () => {
    const opened = await openForm(product, books, 'anna@example.org');
    const [leaving = ''] = switches(opened.form).on;
    opened.form.untick('purpose', leaving);
    await product.sandbox.clearCalls();
    const other = new DatabaseSync(join(product.home, 'data', 'journal.sqlite'), { timeout: 5_000 });
    other.exec('BEGIN IMMEDIATE');
    const first = await timed(() => send(opened));
    const second = await timed(() => send(opened));
    const ready = await timed(async () => ({ status: (await fetch(`${product.url}/health/ready`)).status }));
    assert.deepEqual([first.status, second.status, ready.status], [503, 503, 503]);
    assert.ok(first.headers['retry-after'] !== undefined);
    assert.deepEqual(await product.sandbox.calls({ operation: 'update-subject' }), []);
    other.exec('ROLLBACK');
    other.close();
    assert.equal((await send(opened)).status, 303);
    assert.equal(
      (await onRecord(product.sandbox, books, 'anna@example.org')).has(leaving.toLowerCase()),
      false,
    );
    process.stdout.write(
      `store locked: first 503 after ${Math.round(first.ms)} ms, then ${Math.round(second.ms)} ms\n`,
    );
  });

  test('by its sessions being locked: nobody can sign in, but who is there, or has one click, can still take back.', async () => {
    const opened = await openForm(product, books, 'anna@example.org');
    const [leaving = ''] = switches(opened.form).on;
    opened.form.untick('purpose', leaving);
    const other = new DatabaseSync(join(product.home, 'data', 'sessions.sqlite'), { timeout: 5_000 });
    other.exec('BEGIN IMMEDIATE');
    const link = await linkTo(product, books, 'jonas@example.org');
    const oneClick = await product.link({
      center: books,
      identifier: 'jonas@example.org',
      flags: ['--one-click'],
    });
    const first = await timed(() => createVisitor(product.url).open(link));
    const second = await timed(() => createVisitor(product.url).open(link));
    assert.deepEqual([first.status, second.status], [503, 503]);
    assert.equal((await send(opened)).status, 303);
    const clicked = await fetch(oneClick, { method: 'POST', body: 'List-Unsubscribe=One-Click' });
    assert.equal(clicked.status, 200);
    await clicked.body?.cancel();
    other.exec('ROLLBACK');
    other.close();
    assert.equal((await createVisitor(product.url).open(link)).status, 200);
    process.stdout.write(
      `sessions locked: first 503 after ${Math.round(first.ms)} ms, then ${Math.round(second.ms)} ms\n`,
    );
  });

  test('by having no room: each submission is either kept and carried out, or told to have failed.', async () => {
    await using small = await startProcess({
      env: { LOG_LEVEL: 'silent' },
      launcher: ['sh', '-c', 'ulimit -f 700; exec "$0" "$@"'],
    });
    const outcomes: number[] = [];
    for (let index = 0; index < 60 && outcomes.filter((status) => status === 503).length < 3; index += 1) {
      const visitor = createVisitor(small.url);
      const page = await visitor.open(await linkTo(small, books, `no.room.${index}@example.org`));
      if (page.status !== 200) {
        assert.equal(page.status, 503, page.text.slice(0, 200));
        outcomes.push(503);
        continue;
      }
      const opened = { visitor, page, form: readForm(page.text) };
      const [joining = ''] = switches(opened.form).off;
      opened.form.tick('purpose', joining);
      const answer = await send(opened);
      outcomes.push(answer.status);
      if (answer.status === 422) continue;
      const isOn = (await onRecord(small.sandbox, books, `no.room.${index}@example.org`)).has(
        joining.toLowerCase(),
      );
      if (answer.status === 503) assert.equal(isOn, false, 'carried out without being kept');
    }
    assert.ok(outcomes.includes(503), `it never ran out of room: ${outcomes}`);
    assert.ok(
      outcomes.every((status) => [303, 422, 503].includes(status)),
      `${outcomes}`,
    );
    process.stdout.write(
      `no room: ${outcomes.length} submissions, first 503 at ${outcomes.indexOf(503) + 1}\n`,
    );
    await small.kill9();
  });

  test('from the start: the product does not start, and prints no value of its settings.', async () => {
    const home = mkdtempSync(join(tmpdir(), 'sayso-test-'));
    const file = join(home, 'file');
    writeFileSync(file, '');
    const settings = { PATH: process.env['PATH'] ?? '', PORT: '0', SANDBOX: 'on', SECRET: canaries.secret };
    try {
      const here = await runCommandLine([], { ...settings, DATA_DIR: join(file, 'data') });
      assert.equal(here.code, 1);
      assert.match(here.text, /ENOTDIR/);
      assert.deepEqual(findCanaries(here.text), []);
      const readOnly = ['--permission', '--allow-fs-read=*', '--allow-net'];
      const { status, stderr, stdout } = spawnSync(
        process.execPath,
        [...readOnly, join(root, 'src', 'main.mjs')],
        {
          cwd: root,
          env: { ...settings, DATA_DIR: join(home, 'data') },
          encoding: 'utf8',
          timeout: 120_000,
        },
      );
      assert.equal(status, 1, stderr);
      assert.match(stderr, /restricted/);
      assert.deepEqual(findCanaries(stdout + stderr), []);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
