import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createTracing } from '../../src/metrics/tracing.ts';
import { freePorts, startProduct } from '../kit/product.ts';
import { createVisitor } from '../kit/visitor.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number };
  }[];
}

/** What a collector would take: OTLP over HTTP, JSON. */
async function startCollector({ status = 200 } = {}) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    assert.equal(`${request.method} ${request.url}`, 'POST /v1/traces');
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    bodies.push(body);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: (): Span[] =>
      bodies.flatMap((body) =>
        JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
          resource.scopeSpans.flatMap((scope) => scope.spans),
        ),
      ),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const attribute = (span: Span | undefined, key: string) =>
  Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0];

const answer = { requestClass: 'read', route: '/:center', method: 'GET', status: 200 };

test('the product tells a collector of a page and of the calls it made for it, and nothing of the person', async () => {
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
  assert.ok(read !== undefined, 'the read of the person is under their page');
  assert.equal(read.traceId, page.traceId);
  assert.equal(attribute(read, 'sayso.outcome'), 'ok');
  assert.ok(BigInt(read.startTimeUnixNano) >= BigInt(page.startTimeUnixNano));
  assert.ok(BigInt(read.endTimeUnixNano) <= BigInt(page.endTimeUnixNano));
  assert.doesNotMatch(collector.bodies.join(), /anna|example\.org|b00c5000|eyJ/);
});

test('calls made at the same time belong each to its own request, others to none', async () => {
  await using collector = await startCollector();
  const tracing = createTracing({ endpoint: new URL(collector.endpoint), onLost: () => assert.fail() });
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

test('a collector that refuses is told of, and holds nothing up', async () => {
  await using collector = await startCollector({ status: 400 });
  const lost: number[] = [];
  const tracing = createTracing({
    endpoint: new URL(`${collector.endpoint}/`),
    onLost: (count) => lost.push(count),
  });
  tracing.request(() => undefined)(answer);
  await tracing.close();
  assert.deepEqual(lost, [1]);
});

test('with a collector that is not there the product serves, says so, and ends in order', async () => {
  const [port = 0] = await freePorts(1);
  await using product = await startProduct({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, LOG_LEVEL: 'warn' },
  });
  assert.equal((await fetch(product.url)).status, 200);
  await product.stop();
  assert.match(product.output(), /"count":\d+,"msg":"spans could not be sent"/);
});
