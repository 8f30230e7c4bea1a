import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, suite, test } from 'node:test';
import { parseAllDocuments, stringify } from 'yaml';
import { faultsOf, readYaml, root } from '../deploy/files.ts';
import { kubernetesSchemas } from '../deploy/kubernetes-schema.ts';

const debianGo = '/usr/share/gocode';
const runs = (command: string, ...args: readonly string[]) => spawnSync(command, args).status === 0;
const hasHelm = runs('helm', 'version');

const skip = findSkip();

function findSkip(): string | false {
  if (process.env['SAYSO_LONG'] !== '1') return 'the chart is rendered in npm run test:long';
  const libraries = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'];
  const hasAll = libraries.every((name) => existsSync(`${debianGo}/src/${name}`));
  if (hasHelm || (runs('go', 'version') && hasAll)) return false;
  const why = 'there is neither helm nor Go with the libraries of render.go (npm run test:long brings them)';
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`\n*** NOT TESTED: the chart, ${why} ***\n\n`);
  return why;
}

type Value = Readonly<Record<string, unknown>>;

interface Resource {
  kind: string;
  metadata: { labels?: Value; annotations?: Value };
  data?: Record<string, string>;
  spec?: { template?: { metadata: { annotations?: Value }; spec: { containers: Container[] } } };
}

interface Container {
  image: string;
  env: { name: string; value: string }[];
}

const manifests = globSync('*.yaml', { cwd: join(root, 'deploy/kubernetes') })
  .filter((file) => !/^(kustomization|namespace|secret\.example)\./.test(file))
  .flatMap((file) => readYaml(join('deploy/kubernetes', file)) as readonly Resource[]);
const given = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};

const digest = `sha256:${'0'.repeat(64)}`;
const values = {
  image: { repository: 'registry.example.org/sayso', digest },
  configuration: given,
  network: { database: '192.0.2.1/32' },
};

const folder = mkdtempSync(join(tmpdir(), 'sayso-chart-'));
const chart = join(root, 'deploy/helm');

function render(own: unknown, release = 'sayso') {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, stringify(own));
  const { PATH = '' } = process.env;
  const go = { PATH, HOME: folder, GO111MODULE: 'off', GOPATH: debianGo };
  return hasHelm
    ? spawnSync('helm', ['template', release, chart, '--values', file], { encoding: 'utf8' })
    : spawnSync('go', ['run', join(import.meta.dirname, 'render.go'), release, chart, file], {
        encoding: 'utf8',
        env: go,
      });
}

function rendered(own: unknown, release?: string): readonly Resource[] {
  const { stdout, stderr, status } = render(own, release);
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout).flatMap((document) => {
    assert.deepEqual([...document.errors, ...document.warnings], []);
    return document.toJS() ?? [];
  });
}

const released = ['app.kubernetes.io/name', 'app.kubernetes.io/instance'];

/** Removes the names of a release, and joins the ConfigMap with the pod's own variables. */
function plain(resources: readonly Resource[]): readonly Resource[] {
  const texts = JSON.stringify(resources, (name, value) => (released.includes(name) ? undefined : value));
  const copies = JSON.parse(texts) as Resource[];
  const configured = copies.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  for (const { kind, metadata, spec } of copies) {
    delete metadata.labels;
    if (kind === 'PersistentVolumeClaim') delete metadata.annotations;
    const { template } = spec ?? {};
    if (kind !== 'Deployment' || template === undefined) continue;
    delete template.metadata.annotations;
    for (const container of template.spec.containers) {
      container.image = 'sayso';
      for (const { name, value } of container.env) configured[name] = value;
      container.env = Object.entries(configured)
        .map(([name, value]) => ({ name, value }))
        .sort((a, b) => a.name.localeCompare(b.name));
    }
  }
  const data = Object.entries(configured).sort(([a], [b]) => a.localeCompare(b));
  for (const resource of copies) if (resource.kind === 'ConfigMap') resource.data = Object.fromEntries(data);
  return copies.sort((a, b) => a.kind.localeCompare(b.kind));
}

suite('The chart', { skip }, () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('the chart makes the same resources as the manifests, each by the schema of its kind', () => {
    const made = plain(rendered(values));
    assert.deepEqual(made, plain(manifests));
    assert.equal(made.length, 8);
    for (const resource of made) {
      const schema = kubernetesSchemas[resource.kind as keyof typeof kubernetesSchemas];
      assert.deepEqual(faultsOf(schema, resource), [], resource.kind);
    }
  });

  test('a release runs the image by its digest, with its own settings and network rules, beside another', () => {
    const block = { ports: [{ port: 443, protocol: 'TCP' }], to: [{ ipBlock: { cidr: '10.9.9.9/32' } }] };
    const more = { ...values, network: { ...values.network, more: [block] } };
    const own = { ...more, configuration: { ...given, SMTP_FROM: 'a@example.org', METRICS_PORT: '9000' } };
    const text = JSON.stringify(rendered(own, 'other'));
    for (const part of [
      `"image":"registry.example.org/sayso@${digest}"`,
      '"SMTP_FROM":"a@example.org"',
      '"containerPort":9000',
      JSON.stringify(block),
      '"configMapRef":{"name":"other"}',
    ])
      assert.ok(text.includes(part), part);
    const selectors = text.match(
      /"app.kubernetes.io\/component":"node","app.kubernetes.io\/instance":"other"/g,
    );
    assert.equal(selectors?.length, 7, 'no pod of another release is selected');
    assert.ok(!text.includes('"name":"sayso"'));
  });

  test('the chart names each missing value, and each value that is no text', () => {
    const without: readonly (readonly [RegExp, unknown])[] = [
      [/image\.digest: the image by its digest/, { ...values, image: { repository: 'x' } }],
      [/configuration\.PUBLIC_URL: see/, { ...values, configuration: { ...given, PUBLIC_URL: '' } }],
      [/configuration\.TRUST_PROXY: see/, { ...values, configuration: { ...given, TRUST_PROXY: '' } }],
      [/network\.database: the one address/, { ...values, network: {} }],
      [
        /configuration\.EVIDENCE_DAYS: put/,
        { ...values, configuration: { ...given, EVIDENCE_DAYS: 1_000_000 } },
      ],
    ];
    for (const [words, own] of without) {
      const { status, stderr } = render(own);
      assert.notEqual(status, 0, String(words));
      assert.match(stderr, words);
    }
  });
});
