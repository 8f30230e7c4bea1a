import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

export type Tracing = ReturnType<typeof createTracing>;

export interface TracedAnswer {
  readonly requestClass: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
}

/** The longest time to close, in milliseconds. */
const longestClose = 2_000;

/**
 * Makes spans of OpenTelemetry: one for each answer, with one for each of its calls to the platform. They
 * hold names, classes, patterns and states only, like metrics. A trace begins here: a request's `traceparent`
 * is ignored, and none is sent to the platform.
 *
 * `url`: address of a collector (OTLP over HTTP, JSON); `share`: share of traces that are sent, 0 to 1.
 * `onLost` gets the number of spans not sent. `resource`: attributes of the operator, which win over our own.
 */
export function createTracing(options: {
  readonly url: URL;
  readonly timeoutMs: number;
  readonly share: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
  readonly host: string;
  readonly onLost: (count: number) => void;
}) {
  const exporter = new OTLPTraceExporter({ url: options.url.href, timeoutMillis: options.timeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'sayso',
      'service.version': options.version,
      'service.instance.id': randomUUID(),
      'host.name': options.host,
      ...options.resource,
    }),
    sampler: new TraceIdRatioBasedSampler(options.share),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, options.onLost) })],
  });
  const tracer = provider.getTracer('sayso');
  const current = new AsyncLocalStorage<Context>();
  return {
    /** Handles a request within a span; the returned function ends it. */
    request(handle: () => void) {
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, ROOT_CONTEXT);
      current.run(trace.setSpan(ROOT_CONTEXT, span), handle);
      return (answer: TracedAnswer) => endWith(span, answer);
    },
    /**
     * Makes the span of a call that just ended after `ms`. The call belongs to the current request, if any.
     */
    call(operation: string, outcome: string, ms: number) {
      const end = performance.timeOrigin + performance.now();
      const span = tracer.startSpan(
        operation,
        { kind: SpanKind.CLIENT, startTime: end - ms, attributes: { 'sayso.outcome': outcome } },
        current.getStore() ?? ROOT_CONTEXT,
      );
      if (outcome !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(end);
    },
    /** Sends waiting spans, within 2 s. If the last export fails, `onLost` reports it. */
    close: (): Promise<void> =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        pause(longestClose, undefined, { ref: false }),
      ]),
  };
}

function endWith(span: Span, { requestClass, route, method, status }: TracedAnswer): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'sayso.class': requestClass,
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Reports failed exports, which OpenTelemetry does not. */
function reporting(exporter: SpanExporter, onLost: (count: number) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0) onLost(spans.length);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
