import * as kinds from './kinds.ts';

/** Pairs as in `Baggage`: separated by commas, with percent-encoded values. */
const attributes = kinds.readBy(
  'must be pairs such as deployment.environment.name=production, separated by commas',
  (list) => {
    const pairs = list.split(',').map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []);
    if (pairs.some(([, name]) => name === undefined)) return undefined;
    try {
      return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decodeURIComponent(value)]));
    } catch {
      return undefined;
    }
  },
);

/** OpenTelemetry's own variables, as its specification names and reads them. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: kinds.collector,
    unset: 'no traces',
    about:
      "a collector of OpenTelemetry (OTLP over HTTP, without `/v1/traces`); its headers, compression and certificates are OpenTelemetry's own `OTEL_EXPORTER_OTLP_…`",
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    kind: kinds.collector,
    unset: '`/v1/traces` of the one above',
    about: 'the whole address for traces, used as it is',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    kind: kinds.choice('http/json').default('http/json'),
    about: '`http/json`: no other protocol is spoken here',
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    kind: kinds.wholeFrom(1, 60_000).default(2_000),
    about: 'milliseconds that a collector has',
  },
  OTEL_SDK_DISABLED: {
    kind: kinds.choice('false', 'true').default('false'),
    about: '`true`: no traces, whatever else is set',
  },
  OTEL_TRACES_EXPORTER: {
    kind: kinds.choice('otlp', 'none').default('otlp'),
    about: '`none`: no traces',
  },
  OTEL_TRACES_SAMPLER: {
    kind: kinds
      .choice(
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
        'always_on',
        'always_off',
        'traceidratio',
      )
      .default('parentbased_always_on'),
    about:
      'which traces are sent: `always_on`, `always_off`, `traceidratio`, each also with `parentbased_` in front, which is the same here, where every trace begins',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    kind: kinds.numberFrom(0, 1).default(1),
    about: 'the share that `traceidratio` sends, 0 to 1',
  },
  OTEL_SERVICE_NAME: {
    kind: kinds.text,
    unset: '`sayso`',
    about: 'how traces name the service',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    kind: attributes,
    about: 'more about where it runs, `deployment.environment.name=production,…`, in every trace',
  },
} as const;
