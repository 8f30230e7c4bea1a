/**
 * Runs the code of docs/senders/ that signs links, in every language, against a real center. A language
 * without a runtime on this machine is skipped with a message. Node is always there; with CI=true Python must
 * be, too.
 */

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { productOf } from '../../kit/for-suite.ts';
import { standing } from '../../kit/moves.ts';
import { books, card, newBooks } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'senders');
const issuer = 'https://shop.example';
const secret = '0HOdeR5ktL2QYJq1MgTpKsYzBgzRDrVZT0Q20dot4ws';

interface Language {
  readonly file: string;
  /** Command that succeeds if the runtime is there. */
  readonly probe: readonly [command: string, ...args: string[]];
  /** Command that runs the file, which is its next argument. */
  readonly run: readonly [command: string, ...args: string[]];
}

const languages: Readonly<Record<string, Language>> = {
  'Node.js': { file: 'sign.mjs', probe: [process.execPath, '--version'], run: [process.execPath] },
  Python: { file: 'sign.py', probe: ['python3', '--version'], run: ['python3'] },
  PHP: { file: 'sign.php', probe: ['php', '--version'], run: ['php'] },
  Java: { file: 'Sign.java', probe: ['java', '--version'], run: ['java'] },
  'C#': { file: 'sign.cs', probe: ['dotnet', '--version'], run: ['dotnet', 'run'] },
  Go: { file: 'sign.go', probe: ['go', 'version'], run: ['go', 'run'] },
  Ruby: { file: 'sign.rb', probe: ['ruby', '--version'], run: ['ruby'] },
};
const expected = ['Node.js', 'Python'];

function missing(name: string, [command, ...args]: Language['probe']): string | false {
  if (spawnSync(command, args).status === 0) return false;
  const reason = `${command} is not on this machine: the code for ${name} in docs/senders was not run`;
  if (process.env['CI'] === 'true' && expected.includes(name)) throw new Error(reason);
  return reason;
}

const centers = [{ address: 'shop', center: books, linkKeys: [{ issuer, secret }] }];
const product = productOf({
  centers,
  env: { PLATFORM_IDENTIFIER_ENCODING: 'utf-8' },
});

async function signed({ run, file }: Language, ...subject: string[]): Promise<readonly string[]> {
  const [command, ...args] = [...run, join(folder, file), product.url, issuer, 'shop', ...subject];
  const env = { ...process.env, LINK_SECRET: secret };
  const { stdout } = await promisify(execFile)(command ?? '', args, { env, timeout: 120_000 });
  return stdout.trim().split(/\r?\n/);
}

const statusOf = async (identifier: string, purpose: string) =>
  standing(await product.sandbox.subject(books, identifier)).purposes[purpose]?.status;

suite('The code that signs links', () => {
  for (const [name, language] of Object.entries(languages)) {
    test(`the code in ${name} makes links that open and withdraw`, {
      skip: missing(name, language.probe),
    }, async () => {
      const identifier = `${language.file.toLowerCase()}."o'hara\\+1"@example.net`;
      await product.sandbox.subscribe(books, identifier, newBooks, card);
      const [[manage = '', oneClick = '', ...more], [, everything = '']] = await Promise.all([
        signed(language, identifier, newBooks),
        signed(language, 'zo\u00eb.\ud83d\ude00@example.net'),
      ]);
      assert.deepEqual(more, []);
      const visitor = createVisitor(product.url, { 'accept-language': 'en' });
      assert.match((await visitor.open(manage)).text, /name="element\./);
      const answer = await createVisitor(product.url).post(oneClick, [['List-Unsubscribe', 'One-Click']], {
        accept: '*/*;q=0.1, text/plain',
      });
      assert.equal(answer.text, 'accepted\n');
      await until(async () => (await statusOf(identifier, newBooks)) === 'WITHDRAWN');
      assert.equal(await statusOf(identifier, card), 'ON', 'only one purpose is withdrawn');

      const claims = JSON.parse(Buffer.from(everything.split('.')[1] ?? '', 'base64url').toString());
      assert.equal(claims.sub, 'zo\u00eb.\ud83d\ude00@example.net', 'exact to the byte');
      assert.equal(claims.purpose, undefined);
      assert.equal((await createVisitor(product.url).get(everything)).status, 200);
    });
  }

  test('the document names the file of every language', () => {
    const text = readFileSync(join(folder, '..', 'senders.md'), 'utf8');
    for (const { file } of Object.values(languages)) assert.ok(text.includes(`\`${file}\``), file);
  });
});
