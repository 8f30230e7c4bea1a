/**
 * Runs the code of docs/senders/ that adds the unsubscribe headers, with each mail library. A library that is
 * not on this machine is skipped with a message. Nodemailer is always there; with CI=true Python must be,
 * too.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { oneClickHeader, oneClickPost } from '../../src/cli/links.ts';
import { readOneClickMail } from '../../src/mail/one-click-mail.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/senders');
// Inside the product, so that Node finds Nodemailer.
const home = mkdtempSync(join(root, 'node_modules', '.cache-mails-'));
after(() => rmSync(home, { recursive: true, force: true }));

interface Library {
  readonly file: string;
  readonly run: readonly [command: string, ...args: string[]];
  /** Code that only loads the library. */
  readonly probe: string;
  /** The line that keeps the header whole, and the usual line that breaks it. */
  readonly usual?: { readonly line: string; readonly usual: string };
}

/** Loads PHPMailer like Composer does. */
const loader = join(home, 'loader.php');
writeFileSync(
  loader,
  `<?php spl_autoload_register(function ($class) {
    $file = '/usr/share/php/libphp-phpmailer/src/' . basename(strtr($class, '\\\\', '/')) . '.php';
    if (is_file($file)) require $file;
  });`,
);

const libraries: Readonly<Record<string, Library>> = {
  Nodemailer: { file: 'mail.mjs', run: [process.execPath], probe: "import 'nodemailer';" },
  EmailMessage: {
    file: 'mail.py',
    run: ['python3'],
    probe: 'import email',
    usual: { line: 'policy=SMTP.clone(max_line_length=998)', usual: 'policy=SMTP' },
  },
  PHPMailer: {
    file: 'mail.php',
    run: ['php', '-d', `auto_prepend_file=${loader}`],
    probe: '<?php new PHPMailer\\PHPMailer\\PHPMailer();',
    usual: { line: '$mail->isSMTP();', usual: '$mail->isMail();' },
  },
  'Email::MIME': {
    file: 'mail.pl',
    run: ['perl'],
    probe: 'use Email::MIME;',
    usual: { line: "header_raw_set('List-Unsubscribe'", usual: "header_str_set('List-Unsubscribe'" },
  },
  'Ruby Mail': { file: 'mail.rb', run: ['ruby'], probe: 'require "mail"' },
};
const expected = ['Nodemailer', 'EmailMessage'];

function missing(name: string, { file, run: [command, ...args], probe }: Library): string | false {
  const probed = join(home, `probe-${file}`);
  writeFileSync(probed, probe);
  if (spawnSync(command, [...args, probed]).status === 0) return false;
  const reason = `${name} is not on this machine: its code in docs/senders was not run`;
  if (process.env['CI'] === 'true' && expected.includes(name)) throw new Error(reason);
  return reason;
}

/** An address with `_`; encoded words would change it. */
const address = (length: number) => 'https://preferences.example.org/u/'.padEnd(length, 'aB3-_9xQ');

function mailOf({ file, run: [command, ...args] }: Library, code: string, href: string): Buffer {
  const written = join(home, file);
  writeFileSync(written, code);
  return execFileSync(command, [...args, written, oneClickHeader(href), oneClickPost], { timeout: 120_000 });
}

suite('A mail library', () => {
  for (const [name, library] of Object.entries(libraries)) {
    const code = readFileSync(join(folder, library.file), 'utf8');
    const skip = missing(name, library);

    test(`${name} keeps the address whole with the lines of the document`, { skip }, () => {
      for (const length of [89, 900]) {
        const mail = readOneClickMail(mailOf(library, code, address(length)));
        const [unsubscribe, post] = mail.findings;
        assert.equal(mail.address, address(length), unsubscribe?.text ?? '');
        assert.equal(post?.kind, 'ok', post?.text ?? '');
      }
    });

    if (library.usual === undefined) continue;
    const { line, usual } = library.usual;
    test(`${name} breaks the address without them, and check-mail finds that`, { skip }, () => {
      assert.ok(code.includes(line));
      const mail = readOneClickMail(mailOf(library, code.replace(line, usual), address(89)));
      assert.equal(mail.address, undefined);
      assert.match(mail.findings[0]?.text ?? '', /encoded words/);
    });
  }

  test('the document names the file of every library', () => {
    const text = readFileSync(join(folder, '../senders.md'), 'utf8');
    for (const { file } of Object.values(libraries)) assert.ok(text.includes(`\`${file}\``), file);
  });
});
