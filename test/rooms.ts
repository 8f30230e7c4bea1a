export interface Layer {
  /** Layers that it may import. A layer of a single file does not list itself. */
  readonly imports: readonly string[];
  /** Packages and parts of Node that it may use; `node` is all of Node. */
  readonly uses: readonly string[];
}

const cryptoAndFiles = ['node:crypto', 'node:fs', 'node:path', 'node:fs/promises'];
const core = ['core/model', 'core/consent'];
const inFeatures = [...core, 'i18n', 'pages', 'ports', 'visits', 'web', 'turn'];

const belowCli = [
  ...['compose', 'config', 'clock', 'random-bytes', ...inFeatures, 'delivery', 'upstream', 'store'],
  ...['sandbox', 'mail', 'metrics', 'oidc', 'queue', 'webhooks', 'features/*'],
];

/** The rule of each layer. `features/*` is every feature; a feature may import itself, never another. */
export const layers: Readonly<Record<string, Layer>> = {
  'core/model': { imports: ['core/model'], uses: [] },
  'core/consent': { imports: core, uses: [] },
  i18n: { imports: ['core/model', 'i18n'], uses: [] },
  pages: { imports: [...core, 'i18n', 'pages'], uses: [] },
  ports: { imports: [...core, 'ports'], uses: [] },
  clock: { imports: ['ports'], uses: [] },
  turn: { imports: [], uses: ['node:timers/promises'] },
  'random-bytes': { imports: [], uses: ['node:crypto'] },
  config: { imports: ['core/model', 'config'], uses: ['zod', 'node:net'] },
  queue: { imports: ['core/model', 'ports', 'queue'], uses: [] },
  delivery: { imports: [...core, 'ports', 'delivery', 'queue', 'turn'], uses: [] },
  web: {
    imports: [...core, 'i18n', 'pages', 'ports', 'web', 'random-bytes'],
    uses: ['express', 'ejs', 'express-session', 'helmet', 'pino', 'zod', 'node'],
  },
  visits: {
    imports: [...core, 'ports', 'visits', 'web'],
    uses: ['express', 'express-session', 'zod', 'node'],
  },
  'features/*': { imports: inFeatures, uses: ['express', 'zod', 'node'] },
  'features/identity': { imports: inFeatures, uses: ['express', 'zod', 'node', 'jose'] },
  oidc: { imports: ['core/model', 'ports'], uses: ['openid-client'] },
  upstream: {
    imports: ['core/model', 'ports', 'upstream', 'turn'],
    uses: ['undici', 'zod', 'sanitize-html', 'node:crypto', 'node:stream', 'node:timers/promises'],
  },
  store: {
    imports: [...core, 'ports', 'store', 'turn', 'random-bytes'],
    uses: [
      'node:sqlite',
      'node:zlib',
      'pg',
      'jose',
      'node:net',
      'node:tls',
      'node:timers/promises',
      ...cryptoAndFiles,
    ],
  },
  webhooks: {
    imports: ['core/model', 'ports', 'queue', 'webhooks'],
    uses: ['undici', 'node:crypto', 'node:net', 'node:dns/promises'],
  },
  mail: { imports: ['core/model', 'ports', 'mail'], uses: ['nodemailer', 'node:path'] },
  metrics: {
    imports: ['core/model', 'ports', 'metrics'],
    uses: ['prom-client', '@opentelemetry', 'node:async_hooks', 'node:crypto', 'node:timers/promises'],
  },
  sandbox: { imports: ['sandbox'], uses: ['express', 'busboy', 'zod', 'node'] },
  compose: { imports: belowCli, uses: ['node', 'express'] },
  // A command may use each part by itself, without the product.
  cli: { imports: ['cli', ...belowCli], uses: ['node'] },
  main: { imports: ['cli', 'config'], uses: ['node'] },
};

export function ruleOf(layer: string): Layer | undefined {
  if (Object.hasOwn(layers, layer)) return layers[layer];
  return /^features\/[a-z-]+$/.test(layer) ? layers['features/*'] : undefined;
}

/**
 * The room of a file: `src/core/model/x.ts` → core/model; `src/features/staff/x.ts` → features/staff;
 * `src/store/drivers/x.ts` → store.
 */
export function roomOf(path: string): string {
  const [, first = '', second = '', ...rest] = path.split('/');
  if (first === 'features' || first === 'core') return rest.length > 0 ? `${first}/${second}` : first;
  return second === '' ? first.replace(/\.(ts|mjs)$/, '') : first;
}

/** Code lines that a room may have, without blank lines and comments. A commit that raises one says why. */
export const budgets: Readonly<Record<string, number>> = {
  cli: 1_750,
  clock: 25,
  compose: 1_675,
  config: 1_115,
  'core/consent': 4_205,
  'core/model': 2_230,
  delivery: 1_550,
  'features/centers': 960,
  'features/embed': 70,
  'features/events': 155,
  'features/identity': 1_315,
  'features/shadow': 270,
  'features/staff': 5_360,
  'features/start': 45,
  'features/unsubscribe': 205,
  'features/verify': 120,
  i18n: 330,
  mail: 190,
  main: 20,
  metrics: 405,
  oidc: 115,
  pages: 3_065,
  ports: 585,
  queue: 320,
  'random-bytes': 15,
  sandbox: 4_520,
  store: 5_425,
  turn: 20,
  upstream: 3_755,
  visits: 470,
  web: 1_870,
  webhooks: 225,
};

/** The code lines of each room; `sources` maps paths to sources. */
export function linesByRoom(sources: Readonly<Record<string, string>>): Readonly<Record<string, number>> {
  const lines: Record<string, number> = {};
  for (const [path, source] of Object.entries(sources)) {
    if (!path.startsWith('src/')) continue;
    lines[roomOf(path)] = (lines[roomOf(path)] ?? 0) + codeLines(source);
  }
  return lines;
}

/** Lines that are neither blank nor a comment of their own. */
export function codeLines(source: string): number {
  let isComment = false;
  let lines = 0;
  for (const line of source.split('\n').map((each) => each.trim())) {
    if (!isComment && line.startsWith('/*')) isComment = true;
    else if (!isComment && line !== '' && !line.startsWith('//')) lines += 1;
    if (isComment && line.includes('*/')) isComment = false;
  }
  return lines;
}
