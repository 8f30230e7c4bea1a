import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { z } from 'zod';
import { type Setting, settings } from '../../src/config/settings.ts';
import { routes } from '../routes.ts';
import { type Compose, composeSchema } from './compose-schema.ts';
import { faultsOf, readImage, readText, readYaml, root } from './files.ts';
import { kubernetesSchemas } from './kubernetes-schema.ts';

const folder = join('deploy', 'kubernetes');
const manifests = globSync('*.yaml', { cwd: join(root, folder) }).sort();

type Kind = keyof typeof kubernetesSchemas;

interface Resource {
  readonly file: string;
  readonly kind: string;
  readonly value: unknown;
}

const resources: readonly Resource[] = manifests.flatMap((file) =>
  readYaml(join(folder, file)).map((value) => ({ file, kind: kindOf(value), value })),
);

function kindOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'kind' in value ? String(value.kind) : 'none';
}

/** Returns the only resource of a kind, typed by its schema; the first tests check the schemas. */
function only<K extends Kind>(kind: K) {
  const found = resources.filter((resource) => resource.kind === kind);
  assert.equal(found.length, 1, kind);
  return found[0]?.value as z.infer<(typeof kubernetesSchemas)[K]>;
}

const [compose] = readYaml('compose.yaml') as readonly [Compose];
const image = readImage();
const deployment = only('Deployment');
const { spec: pod } = deployment.spec.template;
const [container] = pod.containers;
const configuration = only('ConfigMap').data;
const nodes = [compose.services['node-1'], compose.services['node-2']];

const podEnvironment = {
  ...configuration,
  ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
};
const environments = [image.environment, ...nodes.map(({ environment }) => environment), podEnvironment];

/** Longest time from the signal to the end of a node, in seconds. */
const longestLeaving = 18;
/** PostgreSQL's default max_connections, without the three that it reserves. */
const usualConnections = 100 - 3;
/** Connections beside the pool: for listening, for the clock and for a probe. */
const besidePool = 3;

/** Iterates over all members of a value, at any depth. */
function* membersOf(value: unknown): Generator<{ owner: Record<string, unknown>; name: string }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { owner: value as Record<string, unknown>, name };
    yield* membersOf(inner);
  }
}

function isSetting(name: string): boolean {
  const known: Readonly<Record<string, Setting>> = settings;
  if (known[name] !== undefined) return true;
  const secret = /^(\w+)_FILE$/.exec(name)?.[1];
  return secret !== undefined && known[secret]?.isSecret === true;
}

suite('The files of a deployment', () => {
  test('compose.yaml follows the Compose specification', () => {
    assert.deepEqual(faultsOf(composeSchema, compose), []);
  });

  test('Each manifest follows the schema of its kind in Kubernetes', () => {
    assert.ok(resources.length >= 10, `${resources.length} resources`);
    for (const { file, kind, value } of resources) {
      assert.ok(kind in kubernetesSchemas, `${file}: ${kind}`);
      assert.deepEqual(faultsOf(kubernetesSchemas[kind as Kind], value), [], file);
    }
  });

  test('Every listed resource exists, and the example of the Secret is not listed', () => {
    const listed = only('Kustomization').resources;
    const rest = manifests.filter((file) => !listed.includes(file));
    assert.deepEqual(rest, ['kustomization.yaml', 'secret.example.yaml']);
    assert.deepEqual(
      listed.filter((file) => !manifests.includes(file)),
      [],
    );
  });

  test('Every variable of a node is a setting with a valid value', () => {
    for (const environment of environments) {
      const own = Object.entries(environment).filter(([name]) => name !== 'NODE_ENV');
      assert.ok(own.length > 3);
      for (const [name, value] of own) {
        assert.ok(isSetting(name), name);
        if (/_FILE$/.test(name) || /^\$\{/.test(value)) continue;
        const { kind } = settings[name as keyof typeof settings];
        assert.ok(kind.safeParse(value).success, `${name}=${value}`);
      }
    }
  });

  test('Both nodes are equal, and the image has its command and health check', () => {
    assert.deepEqual(nodes[0], nodes[1]);
    assert.equal(image.command[0], 'node');
    assert.ok(image.hasHealthCheck);
  });

  test('Every secret is a file that a script or the Secret writes, where the image may read it', () => {
    const written = [...readText('deploy/secrets.mjs').matchAll(/keep\('(\w+)\/([\w.-]+)'/g)];
    const writtenFor = (service: string) =>
      written.filter(([, owner]) => owner === service).map(([, , file]) => file);
    const example = Object.keys(only('Secret').stringData);
    const filesOf = (environment: Readonly<Record<string, string>>) =>
      Object.entries(environment)
        .filter(([, path]) => path.startsWith('/run/secrets/'))
        .map(([, path]) => path.replace(/^\/run\/secrets\//, ''))
        .sort();
    for (const { environment, volumes } of nodes) {
      assert.deepEqual(filesOf(environment), writtenFor('node').sort());
      assert.ok(volumes.includes('node-secrets:/run/secrets:ro'));
    }
    const { postgres } = compose.services;
    const [, read = ''] = /`cat \/run\/secrets\/([\w-]+)`/.exec(readText('deploy/database.sql')) ?? [];
    assert.deepEqual([read, ...filesOf(postgres.environment)], writtenFor('postgres'));
    assert.ok(postgres.volumes.includes('./deploy/database.sql:/docker-entrypoint-initdb.d/database.sql:ro'));
    assert.ok(readText('deploy/haproxy.cfg').includes(`/run/secrets/${writtenFor('balancer')[0]}`));
    assert.deepEqual(filesOf(podEnvironment), example.sort());
    assert.ok(image.command.includes('--allow-fs-read=/run/secrets'));
    assert.ok(container.volumeMounts.some(({ mountPath }) => mountPath === '/run/secrets'));
    for (const environment of environments)
      for (const name of Object.keys(environment)) {
        const setting: Setting | undefined = settings[name as keyof typeof settings];
        assert.ok(setting?.isSecret !== true, `${name} is visible`);
      }
  });

  test('All nodes share one list of erased people, which outlives them', () => {
    for (const { environment, volumes } of nodes) {
      assert.equal(environment['ERASED_FILE'], '/data/erased/erased.jsonl');
      assert.ok(volumes.includes('erased:/data/erased') && 'erased' in compose.volumes);
    }
    assert.equal(podEnvironment['ERASED_FILE'], '/data/erased/erased.jsonl');
    const mounted = container.volumeMounts.find(({ mountPath }) => mountPath === '/data/erased');
    const claim = only('PersistentVolumeClaim').metadata.name;
    assert.ok(
      JSON.stringify(pod).includes(
        JSON.stringify({ name: mounted?.name, persistentVolumeClaim: { claimName: claim } }),
      ),
    );
    assert.match(readText('Dockerfile'), /install -d -o node -g node -m 0700 \/data \/data\/erased/);
  });

  test('Every probe calls an existing route, at the port of the settings', () => {
    const isRoute = (path: string) => routes.some((route) => route.method === 'GET' && route.path === path);
    const port = (name: string) => container.ports.find((each) => each.name === name)?.containerPort;
    const { startupProbe, livenessProbe, readinessProbe } = container;
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      assert.ok(isRoute(httpGet.path), httpGet.path);
      assert.equal(String(port(httpGet.port)), image.environment['PORT']);
    }
    assert.equal(livenessProbe.httpGet.path, '/health/live', 'liveness must not depend on the database');
    assert.equal(readinessProbe.httpGet.path, '/health/ready');
    assert.equal(String(port('metrics')), podEnvironment['METRICS_PORT']);
    const [, checked = ''] = /http-check send meth GET uri (\S+)/.exec(readText('deploy/haproxy.cfg')) ?? [];
    assert.ok(isRoute(checked), checked);
    for (const { environment } of nodes)
      assert.notEqual(environment['METRICS_PORT'], image.environment['PORT']);
  });

  test('The grace period of a node is longer than its shutdown', () => {
    for (const { environment, stop_grace_period } of nodes) {
      assert.ok(parseInt(stop_grace_period, 10) > longestLeaving);
      assert.ok(Number(environment['DRAIN_SECONDS']) < longestLeaving);
      // The balancer checks each second, and notices after three failures.
      assert.ok(Number(environment['DRAIN_SECONDS']) >= 2 * 1 + 1);
    }
    assert.ok(pod.terminationGracePeriodSeconds > longestLeaving);
    assert.ok(readText('src/compose/product.ts').includes('const longest = 18_000'));
  });

  test('The database has connections for all nodes and one more during a replacement', () => {
    const { maxReplicas } = only('HorizontalPodAutoscaler').spec;
    const most = maxReplicas + deployment.spec.strategy.rollingUpdate.maxSurge;
    const poolOf = (environment: Readonly<Record<string, string>>) => Number(environment['DATABASE_POOL']);
    assert.ok(most * (poolOf(podEnvironment) + besidePool) < usualConnections);
    const inCompose = nodes.map(({ environment }) => poolOf(environment) + besidePool);
    assert.ok(inCompose.reduce((sum, each) => sum + each, 0) < usualConnections);
  });

  test('Only the balancer is reachable from outside, and the nodes trust only its address', () => {
    // The schema allows no ports of other services.
    const { balancer } = compose.services;
    assert.deepEqual(balancer.ports, ['80:8080', '443:8443']);
    const address = balancer.networks.front.ipv4_address;
    for (const { environment } of nodes) assert.equal(environment['TRUST_PROXY'], address);
    const [{ subnet }] = compose.networks.front.ipam.config;
    assert.ok(address.startsWith(subnet.replace(/0\/24$/, '')));
  });

  test('All selectors of pods name the label of the pods', () => {
    const { labels } = deployment.spec.template.metadata;
    const selectors = resources.flatMap(({ value }) =>
      [...membersOf(value)]
        .filter(({ name, owner }) => name === 'app.kubernetes.io/component' && owner !== labels)
        .map(({ owner, name }) => owner[name]),
    );
    assert.ok(selectors.length >= 6, `${selectors.length}`);
    assert.deepEqual(new Set(selectors), new Set([labels['app.kubernetes.io/component']]));
  });

  test('The example of .env has exactly the variables that compose.yaml uses', () => {
    const asked = [...readText('compose.yaml').matchAll(/\$\{(\w+):[?-]/g)].map(([, name]) => name);
    const shown = [...readText('deploy/env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set(asked)].sort(), [...shown].sort());
  });

  test('The ingress logs and traces no request, because addresses hold links and tickets', () => {
    const { annotations } = only('Ingress').metadata;
    for (const name of ['enable-access-log', 'enable-opentelemetry'])
      assert.equal(annotations?.[`nginx.ingress.kubernetes.io/${name}`], 'false', name);
  });

  test('Pods can reach only one private address, the database', () => {
    const { egress } = only('NetworkPolicy').spec;
    const blocks = egress.flatMap(({ to }) => to.flatMap((peer) => ('ipBlock' in peer ? peer.ipBlock : [])));
    const [database, internet] = blocks;
    assert.equal(blocks.length, 2);
    assert.match(database?.cidr ?? '', /\/32$/);
    const excepted = new BlockList();
    for (const range of internet?.except ?? []) {
      const [address = '', bits = ''] = range.split('/');
      excepted.addSubnet(address, Number(bits));
    }
    for (const address of [
      ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
      ...['127.0.0.1', '169.254.169.254', '0.0.0.0', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ])
      assert.ok(excepted.check(address), address);
    for (const address of ['1.1.1.1', '172.32.0.1', '192.167.1.1', '100.128.0.1', '223.255.255.1'])
      assert.ok(!excepted.check(address), address);
  });

  test('Every image is named by a digest that the operator must supply', () => {
    for (const { image } of Object.values(compose.services))
      assert.match(image, /^(sayso|\$\{\w+_IMAGE:\?[^}]*digest[^}]*\})$/);
    const { images } = only('Kustomization');
    assert.deepEqual(
      images.map(({ name }) => name),
      pod.containers.map((each) => each.image),
    );
  });

  test('The requested memory of a node is above its measured memory under full load', () => {
    const { figures } = JSON.parse(readText('docs/results/bench.json'));
    const { value } = figures.find(({ what }: { what: string }) => what === 'RSS under load');
    const most = Math.max(...String(value).match(/\d+/g)!.map(Number));
    const { requests, limits } = container.resources;
    assert.ok(parseInt(requests.memory, 10) > most, value);
    assert.ok(parseInt(limits.memory, 10) > parseInt(requests.memory, 10));
  });
});
