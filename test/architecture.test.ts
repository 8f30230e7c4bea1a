import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { suite, test } from 'node:test';
import { drawHouse } from './house.ts';
import { budgets, layers, linesByRoom, roomOf, ruleOf } from './rooms.ts';

interface Word {
  readonly name: string;
  readonly pattern: RegExp;
  /** Whether the word may stand in the file of this path. */
  readonly only: (path: string) => boolean;
  /**
   * The part of a file that is searched; by default its code, without comments and the insides of strings.
   */
  readonly within?: 'code' | 'code and strings' | 'everything';
}

const words: readonly Word[] = [
  { name: 'process.env', pattern: /process\s*\.\s*env\b/, only: is('src/main.mjs') },
  {
    name: 'process.env by import',
    pattern: /\benv\b[^;]*from ['"]node:process['"]/,
    only: is('src/main.mjs'),
    within: 'code and strings',
  },
  { name: 'req.session', pattern: /\breq(uest)?\s*\.\s*session\b/, only: is('src/visits/session.ts') },
  {
    name: 'a body that is read past its rule (right, size, budget, deadline)',
    pattern:
      /\bexpress\s*\.\s*(json|raw|text|urlencoded)\b|\breq(uest)?\s*\.\s*(resume|pipe|read|on)\s*\(|\bof\s+req(uest)?\b/,
    only: (path) => path === 'src/web/body.ts' || path.startsWith('src/sandbox/'),
  },
  {
    name: 'the time of day',
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\)/,
    only: is('src/clock.ts', 'src/sandbox/clock.ts'),
  },
  {
    name: 'a seal that is no declared token',
    pattern: /\bseal\s*\.\s*(seal|open)(Bytes|Short)?\s*\(/,
    only: (path) => path === 'src/web/sealed-token.ts' || path.startsWith('src/store/'),
  },
  { name: 'ejs', pattern: /['"]ejs['"]/, only: is('src/web/render.ts'), within: 'code and strings' },
  { name: 'res.render', pattern: /\bres(ponse)?\s*\.\s*render\b/, only: () => false },
  { name: 'any', pattern: /[:<|,&]\s*any\b(?!\s*[:(?])|\bas\s+any\b|\bany\[\]/, only: () => false },
  {
    name: 'a check switched off',
    pattern: /@ts-(ignore|expect-error|nocheck)|biome-ignore/,
    only: () => false,
    within: 'everything',
  },
  { name: 'unfinished work', pattern: /\b(TODO|FIXME|XXX)\b/, only: () => false, within: 'everything' },
  {
    name: 'a path outside the product',
    pattern: /\/work\/|\.\.\/shared\//,
    only: () => false,
    within: 'everything',
  },
  {
    name: 'require',
    pattern: /\brequire\s*\(|\bcreateRequire\b|\bgetBuiltinModule\b/,
    only: is('src/web/http.ts'),
  },
  { name: 'an import that cannot be read', pattern: /\bimport\s*\(\s*[^'"\s)]/, only: () => false },
  {
    name: 'something core may not know, nor i18n and pages (async, clock, randomness, process, network)',
    pattern:
      /\basync\b|\bawait\b|\bPromise\b|\bMath\.random\b|\bcrypto\b|\bprocess\b|\bset(Timeout|Interval|Immediate)\b|\bperformance\b|\bfetch\s*\(|\bconsole\b|\bBuffer\b/,
    only: (path) => !/^src\/(core|i18n|pages)\//.test(path),
  },
];

function is(...paths: string[]): (path: string) => boolean {
  return (path) => paths.includes(path);
}

type Sources = Readonly<Record<string, string>>;

/** Every breach of the rules for imports, words and names, one line each. */
function offences(sources: Sources): string[] {
  return Object.entries(sources).flatMap(([path, source]) => {
    if (path.startsWith('views/')) return viewOffences(path, source);
    return [...nameOffences(path, source), ...importOffences(path, source), ...wordOffences(path, source)];
  });
}

function importOffences(path: string, source: string): string[] {
  const layer = roomOf(path);
  const rule = ruleOf(layer);
  if (rule === undefined) return [`${path}: the layer "${layer}" is not in the table`];
  return importsOf(source).flatMap((specifier) => {
    if (!specifier.startsWith('.'))
      return rule.uses.some(covers(specifier)) ? [] : [`${path}: uses ${specifier}`];
    if (specifier.endsWith('.json')) return [];
    const target = posix.join(posix.dirname(path), specifier);
    if (!target.startsWith('src/')) return [`${path}: imports ${target}, outside src`];
    const other = roomOf(target);
    if (other === layer || rule.imports.includes(other)) return [];
    if (other.startsWith('features/') && rule.imports.includes('features/*')) return [];
    return [`${path}: imports ${target} of ${other}`];
  });
}

function covers(specifier: string): (allowed: string) => boolean {
  return (allowed) =>
    allowed === specifier ||
    specifier.startsWith(`${allowed}/`) ||
    (allowed === 'node' && specifier.startsWith('node:'));
}

/** The paths of all imports: static, dynamic, for effect, re-exported, and in types (`import('x').Y`). */
function importsOf(source: string): string[] {
  const imports = /(?<![\w.$'"`])(?:from\s*|import\s*\(?\s*)(['"])([^'"\n]+)\1/g;
  return [...withoutComments(source).matchAll(imports)].map(([, , specifier = '']) => specifier);
}

function wordOffences(path: string, source: string): string[] {
  const withStrings = withoutComments(source);
  const read = { everything: source, 'code and strings': withStrings, code: withoutStrings(withStrings) };
  return words
    .filter(({ pattern, only, within }) => !only(path) && pattern.test(read[within ?? 'code']))
    .map(({ name }) => `${path}: says ${name}`);
}

/**
 * A comment begins a line or follows a blank, as Biome formats it; `'image/*'` and `'https://…'` do neither.
 */
function withoutComments(source: string): string {
  return source.replaceAll(/(^|\s)\/\*[\s\S]*?\*\//gm, '$1').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

function withoutStrings(code: string): string {
  return code.replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''").replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""');
}

function nameOffences(path: string, source: string): string[] {
  const faults: string[] = [];
  if (!/^src\/([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*((\.d)?\.ts|\.mjs)$/.test(path))
    faults.push('is not kebab-case');
  if (
    /(^|\/)(utils?|helpers?|common|misc|types?|lib|shared|services?|controllers?|index)(\/|\.ts$)/.test(path)
  )
    faults.push('has a name without a subject');
  const lines = source.split('\n').length - 1;
  if (lines > 400) faults.push(`has ${lines} lines, more than 400: is it one subject?`);
  return faults.map((fault) => `${path}: ${fault}`);
}

const raw =
  /^(body|this\.(langDir|icon)\([\w.']+\)|[\w.]+\.html|include\(('\/[\w-]+\/[\w-]+'|`\/blocks\/\$\{block\.kind\}`), \{[^}]*\}\))$/;

/**
 * A view may print raw the branded SafeHtml (`….html`, `langDir`, `icon`), a layout's body, and other
 * templates.
 */
function viewOffences(path: string, source: string): string[] {
  return [...source.matchAll(/<%-\s*([\s\S]*?)\s*-?%>/g)]
    .map(([, printed = '']) => printed)
    .filter((printed) => !raw.test(printed) || (printed === 'body' && !path.startsWith('views/layouts/')))
    .map((printed) => `${path}: prints raw ${printed}`);
}

/** Circles of imports, imports of types included: the files of each, by the shortest way round. */
function circles(sources: Sources): string[] {
  const imports = new Map(
    Object.entries(sources)
      .filter(([path]) => path.startsWith('src/'))
      .map(([path, source]) => [
        path,
        importsOf(source)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => posix.join(posix.dirname(path), specifier)),
      ]),
  );
  return [...imports.keys()].flatMap((start) => {
    const from = new Map<string, string>();
    const open = [start];
    for (let at = open.shift(); at !== undefined; at = open.shift()) {
      for (const next of imports.get(at) ?? []) {
        if (next === start) return `${wayTo(at, from)} → ${start}`;
        if (from.has(next)) continue;
        from.set(next, at);
        open.push(next);
      }
    }
    return [];
  });

  function wayTo(path: string, from: ReadonlyMap<string, string>): string {
    const before = from.get(path);
    return before === undefined ? path : `${wayTo(before, from)} → ${path}`;
  }
}

function readTree(): Sources {
  const paths = [...globSync('src/**/*.{ts,mjs}'), ...globSync('views/**/*.ejs')].map((path) =>
    path.replaceAll(sep, '/'),
  );
  return Object.fromEntries(
    paths.map((path) => [path, readFileSync(join(import.meta.dirname, '..', path), 'utf8')]),
  );
}

suite('The layout of src', () => {
  const sources = readTree();
  const files = Object.keys(sources).filter((path) => path.startsWith('src/'));

  test('every import, word and name is where it belongs', () => {
    assert.deepEqual(offences(sources), []);
  });

  test('the test reads at least 20 files of each kind and 60 imports', () => {
    assert.ok(files.length >= 20, `${files.length} files`);
    assert.ok(Object.keys(sources).length >= files.length + 20, 'views too');
    const local = files.flatMap((path) => importsOf(sources[path] ?? '')).filter((to) => to.startsWith('.'));
    assert.ok(local.length >= 60, `${local.length} imports`);
  });

  test('every layer of the table has a file', () => {
    const real = new Set(files.map(roomOf));
    assert.deepEqual(
      Object.keys(layers).filter((layer) => !real.has(layer) && layer !== 'features/*'),
      [],
    );
  });

  test('Every room stays within its budget of lines', () => {
    const lines = linesByRoom(sources);
    const over = Object.entries(lines).flatMap(([room, count]) => {
      const budget = budgets[room];
      if (budget === undefined) return `${room} has no budget: give it one in test/rooms.ts`;
      if (count <= budget) return [];
      return `${room} has ${count} lines of ${budget}: raise the budget in test/rooms.ts (a commit says why), or write less`;
    });
    assert.deepEqual(over, []);
    assert.deepEqual(
      Object.keys(budgets).filter((room) => lines[room] === undefined),
      [],
    );
  });

  test('The picture of the house shows every room and its budget', () => {
    const kept = readFileSync(join(import.meta.dirname, '../docs/house.svg'), 'utf8');
    assert.ok(kept === drawHouse(), 'docs/house.svg is of another test/rooms.ts: node scripts/house.mjs');
  });

  test('The tests of a folder of src stand in a folder of its name', () => {
    const files = ['core', 'features', 'pages'].flatMap((room) => globSync(`test/${room}/*/*.ts`));
    const folders = new Set(files.map((path) => posix.dirname(path.replaceAll(sep, '/'))));
    assert.ok(folders.size >= 10, `${folders.size} folders`);
    folders.delete('test/features/end-to-end');
    const strays = [...folders].filter((path) => !existsSync(path.replace('test/', 'src/')));
    assert.deepEqual(strays, []);
  });

  test('no file imports itself, not even in a type or through other files', () => {
    assert.deepEqual(circles(sources), []);
  });
});

/** Path → sources that break a rule there, each with a part of the line that tells the offence. */
const breaks: Readonly<Record<string, readonly (readonly [source: string, offence: string])[]>> = {
  'src/core/model/a.ts': [
    ["import type { Clock } from '../../ports/clock.ts';", 'imports src/ports/clock.ts of ports'],
    ["import { join } from 'node:path';", 'uses node:path'],
    ["export { a } from '../../web/render.ts';", 'of web'],
    ["type A = import('../../upstream/client.ts').A;", 'of upstream'],
    ["const a = import('../../store/journal.ts');", 'of store'],
    ["import '../../web/log.ts';", 'of web'],
    ['export async function a() {}', 'something core may not know'],
    ['export const a = Math.random();', 'something core may not know'],
    ["import { a } from '../consent/merge.ts';", 'of core/consent'],
    ["const a = '*/*';\nimport 'zod';\n// */", 'uses zod'],
    ['import a from "zod";', 'uses zod'],
    ["import a from 'zod/mini';", 'uses zod/mini'],
    ["import {\n  a,\n  b,\n} from 'zod';", 'uses zod'],
  ],
  'src/features/record/a.ts': [
    ['const body = express.urlencoded();', 'a body that is read past its rule'],
    ["request.on('data', () => undefined);", 'a body that is read past its rule'],
  ],
  'src/web/a.ts': [
    ["import { a } from '../../test/kit/product.ts';", 'outside src'],
    ['const a = await import(name);', 'an import that cannot be read'],
    ["const a = require('redis');", 'says require'],
    ["import { env } from 'node:process';", 'says process.env'],
    ['const now = Date.now();', 'says the time of day'],
    ['const now = new Date();', 'says the time of day'],
    ['const a: any = 1;', 'says any'],
    ['const a = b as any;', 'says any'],
    ['const a: Map<string, any> = b;', 'says any'],
    ['// biome-ignore lint: because', 'a check switched off'],
    ['// TODO later', 'unfinished work'],
    ["const a = '../shared/payloads';", 'a path outside the product'],
    ['a;\n'.repeat(401), '401 lines'],
  ],
  'src/features/staff/a.ts': [
    ["import { a } from '../centers/form.ts';", 'of features/centers'],
    ["import { jwtVerify } from 'jose';", 'uses jose'],
    ['req.session.who = 1;', 'says req.session'],
  ],
  'src/main.mjs': [["import { a } from './store/journal.ts';", 'of store']],
  'src/services/a.ts': [['', 'the layer "services" is not in the table']],
  'src/features/a.ts': [['', 'the layer "features" is not in the table']],
  'src/constructor/a.ts': [['', 'the layer "constructor" is not in the table']],
  'src/config/environment.ts': [['const a = process.env.PORT;', 'says process.env']],
  'src/web/render.ts': [["res.render('a');", 'says res.render']],
  'src/web/errors.ts': [["import ejs from 'ejs';", 'says ejs']],
  'src/web/renderPage.ts': [['', 'is not kebab-case']],
  'src/web/helpers/a.ts': [['', 'a name without a subject']],
  'src/web/index.ts': [['', 'a name without a subject']],
  'views/a.ejs': [
    ['<p><%- purpose.name %></p>', 'prints raw purpose.name'],
    ['<%- body -%>', 'prints raw body'],
    ['<%- include(name, { page: page }) %>', 'prints raw include(name'],
  ],
};

suite('The test of the layout', () => {
  for (const [path, cases] of Object.entries(breaks))
    for (const [source, offence] of cases)
      test(`the test finds in ${path} with ${JSON.stringify(source.slice(0, 80))}: ${offence}`, () => {
        const found = offences({ [path]: source }).join('\n');
        assert.ok(found.includes(offence), found);
      });

  test('the test finds a circle of imports, also one of types over several files', () => {
    const round = {
      'src/web/a.ts': "import type { B } from './b.ts';",
      'src/web/b.ts': "import { c } from './c.ts';",
      'src/web/c.ts': "import type { A } from './a.ts';",
      'src/web/d.ts': "import { a } from './a.ts';",
    };
    assert.equal(circles(round).length, 3);
    assert.match(circles(round)[0] ?? '', /a\.ts → src\/web\/b\.ts → src\/web\/c\.ts → src\/web\/a\.ts/);
  });
});
