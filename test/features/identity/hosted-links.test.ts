import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, beforeEach, suite, test } from 'node:test';
import { identifierRule } from '../../../src/core/model/person/subject.ts';
import { runCommand } from '../../kit/command.ts';
import { productOf } from '../../kit/for-suite.ts';
import { postgres } from '../../kit/postgres.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { eventually } from '../../kit/until.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { enter } from '../staff/fixture.ts';

const calls = '0ca11000-0000-4000-8000-000000000001';
const anna = 'anna@example.org';
const emil = 'emil@example.org';
const strange = Buffer.alloc(32, 7).toString('base64');

const tokens = new Map<string, string>();

const product = productOf({
  centers: [
    { address: 'shop', center: books },
    { address: 'bank', center: bank, signIn: { mail: false } },
  ],
});
before(async () => {
  const answer = await product.sandbox.call('/api/consentmanager/v1/linktokens?size=2000');
  const { content } = (await answer.json()) as { content: { DataSubjectId: string; LinkToken: string }[] };
  for (const { DataSubjectId, LinkToken } of content) tokens.set(DataSubjectId, LinkToken);
});
beforeEach(() => product.sandbox.clearFaults());

const tokenOf = (person: string) => tokens.get(person) ?? assert.fail(`no token of ${person}`);
/** Changes the first character; a fixed ending would be the true one in one run of a thousand. */
const altered = (token: string) => (token.startsWith('A') ? 'B' : 'A') + token.slice(1);

async function importTokens(
  rows: readonly (readonly string[])[],
  head = 'DataSubjectId,LinkToken,ExpiryDate,CreatedDate',
) {
  const file = join(product.home, 'linktokens.csv');
  writeFileSync(file, [head, ...rows.map((row) => row.join(','))].join('\n'));
  const { stderr } = await runCommand(['import-links', '--file', file], product.env);
  return stderr
    .trim()
    .split('\n')
    .map((line) => line.replace(/^line (\d+) is left out/, '$1'));
}

const later = '2099-12-31T23:59:59.999';
const past = '2020-01-01';
const now = () => new Date().toISOString().slice(0, 23);
const linkTo = (token: string, center = books) =>
  `#/preferences/multipage/token/${center}/${encodeURIComponent(token)}`;

async function follow(visitor: Visitor, link: string): Promise<Answer> {
  return visitor.post('/ui/', [...(await fieldsOf(visitor)), ['link', link]]);
}

async function fieldsOf(visitor: Visitor): Promise<readonly (readonly [string, string])[]> {
  const { text } = await visitor.get('/ui/');
  return [['token', /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '']];
}

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const pathOf = ({ location }: Answer) => location && new URL(location).pathname;
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/centers/shop')).status === 200;

suite('A link of the platform’s hosted page', () => {
  test('an imported link opens the page of its person', async () => {
    await importTokens([[anna, tokenOf(anna), later, now()]]);
    const visitor = createVisitor(product.url);
    const answer = await follow(visitor, linkTo(tokenOf(anna)));
    assert.equal(answer.status, 303);
    assert.equal(answer.location, `${product.url}/centers/shop`);
    const page = await visitor.get('/centers/shop');
    assert.match(textOf(page.text), /a•+@example\.org/);
  });

  test('a link that was not imported, is of another person or has no token leads to the sign-in', async () => {
    const salmas = tokenOf('salma@example.org');
    await importTokens([
      [emil, strange, later, now()],
      [anna, salmas, later, now()],
    ]);
    for (const link of [
      // These two were imported, but the platform does not name that person for them.
      linkTo(strange),
      linkTo(salmas),
      linkTo(tokenOf('jonas@example.org')),
      linkTo(altered(tokenOf(anna))),
      `#/preferences/multipage/login/${books}`,
      `#/preferences/login/${books}?email=${anna}`,
    ]) {
      const visitor = createVisitor(product.url);
      assert.equal(pathOf(await follow(visitor, link)), '/centers/shop/sign-in', link);
      assert.equal(await isSignedIn(visitor), false, link);
    }
  });

  test('a link lets its person only withdraw while the platform does not say whose link it is', async () => {
    await importTokens([[anna, tokenOf(anna), later, now()]]);
    for (const fault of [{ kind: '500' }, { kind: 'garbage' }, { kind: '500', status: 404 }]) {
      await product.sandbox.addFault({ ...fault, operation: 'list-link-tokens' });
      const visitor = createVisitor(product.url);
      await follow(visitor, linkTo(tokenOf(anna)));
      const page = await visitor.get('/centers/shop');
      assert.equal(page.status, 200);
      assert.match(textOf(page.text), /With this link you can turn things off/);
      await product.sandbox.clearFaults();
    }
  });

  test('a link ends with its date, and with signing out on all devices', async () => {
    assert.deepEqual(await importTokens([[anna, tokenOf(anna), past, past]]), [
      '0 tokens kept, 1 had ended, 0 left out',
    ]);
    await importTokens([[anna, tokenOf(anna), later, '2026-01-01']]);
    const visitor = createVisitor(product.url);
    await follow(visitor, linkTo(tokenOf(anna)));
    const devices = await visitor.get('/centers/shop/devices');
    assert.equal(devices.status, 200);
    await visitor.submit(devices, () => undefined);
    const again = createVisitor(product.url);
    assert.equal(pathOf(await follow(again, linkTo(tokenOf(anna)))), '/centers/shop/sign-in');
  });

  test('a link asks first where another person is signed in', async () => {
    const salma = 'salma@example.org';
    await importTokens([[salma, tokenOf(salma), later, now()]]);
    const visitor = createVisitor(product.url);
    await visitor.open(await product.link({ center: books, identifier: 'jonas@example.org' }));
    const asked = await follow(visitor, linkTo(tokenOf(salma)));
    assert.equal(pathOf(asked), '/centers/shop/sign-in/switch');
    const question = await visitor.open(asked.location ?? '');
    assert.match(textOf(question.text), /You’re signed in as jonas@example\.org/);
    const page = await visitor.submit(question, () => undefined);
    assert.match(textOf(page.text), /s•+@example\.org/);
  });

  test('a link is refused for a center that is not served', async () => {
    await importTokens([[emil, tokenOf(emil), later, now()]]);
    const visitor = createVisitor(product.url);
    for (const link of [linkTo(tokenOf(emil), calls), '#/preferences/x', '', '#']) {
      const answer = await follow(visitor, link);
      assert.ok(answer.status >= 400 && answer.status < 500, `${link}: ${answer.status}`);
      assert.equal(answer.headers['set-cookie'], undefined, link);
    }
    const untokened = await visitor.post('/ui/', [['link', linkTo(tokenOf(emil), bank)]]);
    assert.equal(untokened.status, 400, 'without the token of the page');
    assert.equal(pathOf(await follow(visitor, linkTo(tokenOf(emil), bank))), '/centers/bank');
  });

  test('the token of a link is in no log, no address and no file', async () => {
    const visitor = createVisitor(product.url);
    const answer = await follow(visitor, linkTo(tokenOf(emil)));
    const forms = [...tokens.values(), strange].flatMap((token) => [token, encodeURIComponent(token)]);
    const file = readFileSync(join(product.env['DATA_DIR'] ?? '', 'hosted-links.sqlite'), 'latin1');
    for (const text of [product.output(), answer.location ?? '', file])
      for (const token of forms) assert.ok(!text.includes(token.slice(0, 20)), 'a token is readable');
    assert.ok(!file.includes('example.org'), 'a person is readable');
  });

  test('a client that tries many links is refused', async () => {
    const other = createVisitor(product.url, { 'x-forwarded-for': '203.0.113.9' });
    const fields = [...(await fieldsOf(other)), ['link', linkTo(strange)]] as const;
    let status = 303;
    for (let times = 0; times < 200 && status === 303; times += 1)
      status = (await other.post('/ui/', fields)).status;
    assert.equal(status, 429);
  });
});

suite('The staff page of hosted links', () => {
  test('the staff page counts hosted links by center and outcome', async () => {
    const staff = await enter(product);
    const { status, text } = await staff.get('/staff/hosted-links');
    assert.equal(status, 200);
    const shown = textOf(text);
    assert.match(shown, /Links of hosted pages/);
    assert.match(shown, /Opened.*Ended.*Unknown.*To the sign-in/s);
    assert.match(shown, /Harbour Books/);
  });
});

suite('The import of link tokens', () => {
  test('the import names each row that it leaves out, and what is wrong with a file', async () => {
    assert.deepEqual(
      await importTokens([
        ['', tokenOf(anna), later, ''],
        [anna, 'short', later, ''],
        [anna, tokenOf(anna), 'soon', ''],
        [anna, tokenOf(anna), '', ''],
        [anna, tokenOf(anna), later],
      ]),
      [
        `2: DataSubjectId must be ${identifierRule}, of ASCII alone unless PLATFORM_IDENTIFIER_ENCODING says otherwise`,
        '3: LinkToken is no link token',
        '4: ExpiryDate is no date',
        '5: it has no ExpiryDate: say --days for such rows',
        '6: it has 3 cells, the first line 4',
        '0 tokens kept, 0 had ended, 5 left out',
      ],
    );
    assert.match(String(await importTokens([], 'name,address')), /DataSubjectId and LinkToken/);
  });

  test('the import waits for a busy database for longer than a page may', {
    skip: postgres.skip,
  }, async () => {
    const database = await postgres.database();
    const env = { ...product.env, DATABASE_URL: database.url, DATABASE_TIMEOUT_SECONDS: '1' };
    const file = join(product.home, 'one-token.csv');
    writeFileSync(file, `DataSubjectId,LinkToken,ExpiryDate\n${anna},${strange},${later}\n`);
    const importOne = async () => {
      const { code, stderr } = await runCommand(['import-links', '--file', file], env);
      assert.deepEqual([code, stderr], [0, '1 tokens kept, 0 had ended, 0 left out\n']);
    };
    try {
      await importOne();
      const held = database.query('BEGIN; LOCK TABLE hosted_link; SELECT pg_sleep(2); COMMIT');
      await eventually(async () => {
        const found = await database.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
        );
        assert.ok(found.length > 0);
      });
      await Promise.all([held, importOne()]);
    } finally {
      await database.end();
    }
  });
});
