import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { csvRows } from '../../src/cli/csv-rows.ts';
import { linkTable } from '../../src/cli/link-table.ts';
import { readConfig } from '../../src/config/environment.ts';
import { openOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import { measureMint } from '../bench/mint.ts';
import { slowness } from '../kit/cpu.ts';

const center = 'b00c5000-0000-4000-8000-000000000001';
const purpose = 'b00c5000-0000-4001-8000-000000000001';
const secret = 'gLMUoUTGmeyNEuxP8mxpAt0LIitxLUUIZdiaRudK35c';
const settings = { SANDBOX: 'on', SECRET: secret, PUBLIC_URL: 'https://preferences.example' };
const config = readConfig(settings, () => '');

async function* one(file: string) {
  yield Buffer.from(file);
}

/** The table of links of a file, as objects, with the log of the command. */
async function tableOf(file: string, by = config) {
  const log: string[] = [];
  const count = { written: 0, leftOut: 0, likeFormula: 0 };
  const tell = (line: string) => void log.push(line.replace(/^line (\d+)(?: is left out)?/, '$1'));
  let text = '';
  const options = { center, days: '30', people: one(file), count, tell };
  for await (const piece of linkTable(by, options)) text += piece;
  const read: (readonly string[])[] = [];
  for await (const row of csvRows(one(text))) read.push('cells' in row ? row.cells : [row.fault]);
  const [names = [], ...cells] = read;
  const rows = cells.map((row): Row => Object.fromEntries(row.map((cell, at) => [names[at] ?? '', cell])));
  return { log, count, text, names, rows };
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const identifiersIn = (rows: readonly Row[]) => rows.map(({ identifier }) => identifier);

/** The content of the one-click address of a row. */
function oneClickOf(row: Row | undefined) {
  const [token = ''] = /[\w-]+$/.exec(row?.['one_click_url'] ?? '') ?? [];
  return openOneClick(createSeal([secret]), token);
}

type Row = Readonly<Record<string, string>>;

suite('A table of links', () => {
  test('the table keeps every column and adds five', async () => {
    const { names, rows, log } = await tableOf(
      `\ufeffname,identifier,purpose,note\r\n"O""Hara, Pat",pat@example.org,,"two\nlines"\r\nJo,4711,${purpose.toUpperCase()},\r\n`,
    );
    const added = 'manage_url withdraw_url one_click_url list_unsubscribe list_unsubscribe_post';
    assert.deepEqual(names, ['name', 'identifier', 'purpose', 'note', ...added.split(' ')]);
    assert.partialDeepStrictEqual(rows, [
      { name: 'O"Hara, Pat', note: 'two\nlines' },
      { identifier: '4711' },
    ]);
    const [manage = '', withdraw = '', oneClick = '', ...headers] = Object.values(rows[0] ?? {}).slice(4);
    for (const link of [manage, withdraw])
      assert.match(link, new RegExp(`^https://preferences\\.example/centers/${center}\\?t=[\\w.-]+$`));
    assert.match(oneClick, /^https:\/\/preferences\.example\/u\/[\w-]+$/);
    assert.deepEqual(headers, [`<${oneClick}>`, 'List-Unsubscribe=One-Click']);
    assert.deepEqual(log, []);
  });

  test('a purpose column in any spelling makes addresses of one purpose, never of all', async () => {
    for (const name of ['Purpose', 'PURPOSE\u00a0', '\u200bpurpose', '"\ufeffpurpose"', '\uff50urpose']) {
      const { rows, log } = await tableOf(
        `Identifier,${name}\na@example.org,${purpose}\nb@example.org,letter\n`,
      );
      const asked = oneClickOf(rows[0]);
      assert.deepEqual([asked?.subject, asked?.purpose], ['a@example.org', purpose], JSON.stringify(name));
      assert.deepEqual([rows.length, log.length], [1, 1]);
      assert.match(log[0] ?? '', /^3: purpose must be the id/);
    }
  });

  test('identifiers that the tenant cannot receive are left out with a message', async () => {
    const file = 'identifier\nzo\u00eb@example.org\nanna@example.org\n';
    const { rows, log } = await tableOf(file);
    assert.deepEqual(identifiersIn(rows), ['anna@example.org']);
    assert.match(log.join('\n'), /^2: identifier must be .* ASCII alone unless PLATFORM_IDENTIFIER_ENC.*$/);
    for (const encoding of ['utf-8', 'percent']) {
      const taking = readConfig({ ...settings, PLATFORM_IDENTIFIER_ENCODING: encoding }, () => '');
      const taken = await tableOf(file, taking);
      assert.deepEqual([taken.rows.length, taken.log], [2, []]);
      assert.equal(oneClickOf(taken.rows[0])?.subject, 'zo\u00eb@example.org');
    }
  });

  test('wrong rows are reported by line without their content, and the rest goes on', async () => {
    const { rows, log, text } = await tableOf(
      [
        'identifier,purpose,note',
        'first@example.org,,"a\nb"',
        ' blank@example.org,,',
        ',,',
        'short@example.org',
        'named@example.org,newsletter,',
        '\u212aelvin@example.org,,',
        'quoted@example.org,,a"b"',
        'last@example.org,,',
      ].join('\n'),
    );
    assert.deepEqual(identifiersIn(rows), ['first@example.org', 'last@example.org']);
    const begun = log.map((line) => line.slice(0, 22));
    assert.deepEqual(begun, [
      ...['4: identifier must be ', '5: identifier must be ', '6: it has 1 cells wher'],
      ...['7: purpose must be the', '8: identifier must be ', '9: there is a quote wi'],
    ]);
    assert.doesNotMatch(log.join() + text, /blank@|short@|named@|elvin|quoted@/);
  });

  test('the table has no formula, and changes no identifier', async () => {
    const identifiers = ['=cmd@example.org', '+491715550100', '@anna', '-', "'quoted", 'a;=1@example.org'];
    const kept = {
      '=1+1': "'=1+1",
      '@SUM(A1)': "'@SUM(A1)",
      '+cmd|x': "'+cmd|x",
      '\uff1d1': "'\uff1d1",
      '\t=1': "'\t'=1",
      'a;=1+1': "a;'=1+1",
      'a\t=1+1': "a\t'=1+1",
      'a; "@SUM(A1)': `a;' "@SUM(A1)`,
      'a\n=1': "a\n'=1",
      '  =1': "'  =1",
      '\u200b=1': "'\u200b=1",
      '+1;=1+1': "'+1;'=1+1",
      '+49 171 555-0100': '+49 171 555-0100',
      '-': '-',
      'a=1': 'a=1',
      'a;b\tc, -5': 'a;b\tc, -5',
    };
    const lines = identifiers.map((identifier) => `${identifier},x`);
    for (const cell of Object.keys(kept)) lines.push(`anna@example.org,${quoted(cell)}`);
    const { rows, log, count } = await tableOf(`identifier,note\n${lines.join('\n')}\n`);
    assert.deepEqual(identifiersIn(rows.splice(0, identifiers.length)), identifiers);
    const notes = rows.map(({ note }) => note);
    assert.deepEqual(notes, Object.values(kept));
    assert.equal(count.likeFormula, 3);
    assert.match(log.join('\n'), /^2: a spreadsheet would take this identifier for a formula.*$/);
  });

  test('a file with unclear columns is refused', async () => {
    const latin = Buffer.from('identifi\u00e9r\na\n', 'latin1').toString('latin1');
    for (const [file, why] of [
      ['', /empty/],
      ['email,purpose\na,b\n', /no column is called "identifier"/],
      ['identifier;purpose\na;b\n', /with commas between/],
      ['identifier,name,name\na,b,c\n', /two columns have the same name, "name"/],
      ['identifier,Identifier\na,b\n', /same name, "Identifier"/],
      ['identifier,identifier\u200b\na,b\n', /two columns have the same name/],
      ['identifier,\uff49dentifier\na,b\n', /two columns have the same name/],
      ['identifier,\u200dmanage_url\na,b\n', /a column .manage_url already/],
      ['identifier, Manage_URL\na,b\n', /a column {2}Manage_URL already/],
      ['name,identifier,note\rJoe,a,b\r', /lines end with CR alone/],
      [latin, /identifier/],
      ['"identifier\na\n', /line 1, the names of the columns: a quote is never closed/],
    ] as const)
      await assert.rejects(tableOf(file), why, JSON.stringify(file));
  });

  test('the table is made at 20,000 rows a second and core on an idle machine', async () => {
    const rows = Math.max(await measureMint(4_000), await measureMint(4_000)) * slowness();
    assert.ok(rows > 10_000, `${Math.round(rows)} rows a second`);
  });
});
