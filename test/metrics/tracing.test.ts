import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { createTracing } from '../../src/metrics/tracing.ts';
import { freePorts, startProduct } from '../kit/product.ts';
import { books } from '../kit/sandbox-ids.ts';
import { createVisitor } from '../kit/visitor.ts';

interface Described {
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface Span extends Described {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface Resource {
  readonly resource: Described;
  readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
}

type TracingOptions = Parameters<typeof createTracing>[0];

/** A collector that takes OTLP over HTTP as JSON. */
async function startCollector({ status = 200 } = {}) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    assert.equal(`${request.method} ${request.url}`, 'POST /v1/traces');
    bodies.push(await text(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  const resources = (): readonly Resource[] => bodies.flatMap((body) => JSON.parse(body).resourceSpans);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    /** Reads an attribute of the process. */
    resource: (name: string) => attribute(resources()[0]?.resource, name),
    spans: () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function tracingTo({ endpoint }: { readonly endpoint: string }, options: Partial<TracingOptions> = {}) {
  const about = { resource: {}, version: '1.2.3', host: 'node-1', timeoutMs: 2_000, share: 1 };
  const onLost = () => assert.fail('spans were lost');
  return createTracing({ url: new URL(`${endpoint}/v1/traces`), ...about, onLost, ...options });
}

const attribute = (of: Described | undefined, key: string): unknown =>
  Object.values(of?.attributes.find((each) => each.key === key)?.value ?? {})[0];

const answer = { requestClass: 'read', route: '/:center', method: 'GET', status: 200 };

test('the product sends the spans of a page and of its calls, without personal data', async () => {
  await using collector = await startCollector();
  await using product = await startProduct({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint } });
  const link = await product.link({ center: books, identifier: 'anna@example.org' });
  const visitor = createVisitor(product.url);
  const opened = await visitor.open(new URL(link).pathname + new URL(link).search);
  assert.equal(opened.status, 200);
  await product.stop();
  const spans = collector.spans();
  const page = spans.find(
    (span) => span.name === 'GET /:center{/:page}' && attribute(span, 'http.response.status_code') === 200,
  );
  assert.ok(page !== undefined, spans.map(({ name }) => name).join());
  assert.equal(page.parentSpanId, undefined);
  assert.equal(attribute(page, 'sayso.class'), 'read');
  const read = spans.find(
    ({ name, parentSpanId }) => name === 'read-subject' && parentSpanId === page.spanId,
  );
  assert.ok(read !== undefined, 'the reading of the person is a child of the page');
  assert.equal(read.traceId, page.traceId);
  assert.equal(attribute(read, 'sayso.outcome'), 'ok');
  const times = [page.startTimeUnixNano, read.startTimeUnixNano, read.endTimeUnixNano, page.endTimeUnixNano];
  assert.deepEqual(times, times.toSorted(), 'the reading lies within the page');
  assert.doesNotMatch(collector.bodies.join(), /anna|example\.org|b00c5000|eyJ/);
});

test('concurrent calls belong to their own request, others to none', async () => {
  await using collector = await startCollector();
  const tracing = tracingTo(collector);
  const handled = ['a', 'b'].map(async (name) => {
    let ended: Promise<void> | undefined;
    const end = tracing.request(() => {
      ended = pause(5).then(() => tracing.call(`call-${name}`, name === 'a' ? 'ok' : 'platform-slow', 3));
    });
    await ended;
    end({ ...answer, route: `/${name}`, status: name === 'a' ? 200 : 503 });
  });
  tracing.call('alone', 'ok', 1);
  await Promise.all(handled);
  await tracing.close();
  const spans = new Map(collector.spans().map((span) => [span.name, span]));
  assert.equal(spans.get('call-a')?.parentSpanId, spans.get('GET /a')?.spanId);
  assert.equal(spans.get('call-b')?.parentSpanId, spans.get('GET /b')?.spanId);
  assert.equal(spans.get('alone')?.parentSpanId, undefined);
  const failed = [...spans.values()].filter(({ status }) => status.code === 2).map(({ name }) => name);
  assert.deepEqual(failed.sort(), ['GET /b', 'call-b']);
});

test('a trace names the version, instance and host, and follows the variables of OpenTelemetry', async () => {
  await using collector = await startCollector();
  const tracing = tracingTo(collector);
  tracing.call('alone', 'ok', 1);
  await tracing.close();
  const own = ['service.name', 'service.version', 'host.name'].map(collector.resource);
  assert.deepEqual(own, ['sayso', '1.2.3', 'node-1']);
  assert.match(String(collector.resource('service.instance.id')), /^[0-9a-f-]{36}$/);

  await using named = await startCollector();
  await using product = await startProduct({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${named.endpoint}/v1/traces`,
      OTEL_SERVICE_NAME: 'preferences',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
    },
  });
  for (const path of ['/health/live', '/health/ready', '/HEALTH/live/', '/']) await fetch(product.url + path);
  await product.stop();
  const values = ['service.name', 'deployment.environment.name', 'service.version'].map(named.resource);
  assert.deepEqual(values, ['preferences', 'tests', packageJson.version]);
  const names = named.spans().map(({ name }) => name);
  assert.ok(names.includes('GET /'), names.join());
  assert.doesNotMatch(names.join(), /health/);
  assert.doesNotMatch(product.output(), /health/);
  assert.match(product.output(), /"route":"\/"/);
});

for (const [share, least, most] of [
  [0.5, 120, 280],
  [0, 0, 0],
] as const)
  test(`a share of ${share} sends whole traces`, async () => {
    await using collector = await startCollector();
    const tracing = tracingTo(collector, { share });
    for (let index = 0; index < 400; index += 1) tracing.request(() => tracing.call('call', 'ok', 1))(answer);
    await tracing.close();
    const spans = collector.spans();
    const pages = spans.filter(({ name }) => name === 'GET /:center');
    assert.ok(pages.length >= least && pages.length <= most, String(pages.length));
    const sent = new Set(pages.map(({ traceId }) => traceId));
    assert.equal(spans.length, 2 * pages.length);
    assert.ok(spans.every(({ traceId }) => sent.has(traceId)));
  });

test('a refusing collector is reported, and delays nothing', async () => {
  await using collector = await startCollector({ status: 400 });
  const lost: number[] = [];
  const tracing = tracingTo(collector, { onLost: (count) => lost.push(count) });
  tracing.request(() => undefined)(answer);
  await tracing.close();
  assert.deepEqual(lost, [1]);
});

test('the product serves without its collector, says so, and stops in order', async () => {
  const [port = 0] = await freePorts(1);
  await using product = await startProduct({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, LOG_LEVEL: 'warn' },
  });
  assert.equal((await fetch(product.url)).status, 200);
  await product.stop();
  assert.match(product.output(), /"count":\d+,"msg":"spans could not be sent"/);
});
