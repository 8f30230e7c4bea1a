const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** How the process is run and watched. */
export interface OperationSettings {
  readonly logLevel: (typeof logLevels)[number];
  /** Addresses or CIDR ranges of proxies in front. */
  readonly trustProxy: readonly string[];
  /** Milliseconds between the signal to leave and the end of new connections. */
  readonly drain: number;
  readonly serverTiming: boolean;
  /** Of a collector of OpenTelemetry, without `/v1/traces`; undefined: no traces. */
  readonly traceEndpoint: URL | undefined;
}

/** LOG_LEVEL, TRUST_PROXY, DRAIN_SECONDS, SERVER_TIMING and OTEL_EXPORTER_OTLP_ENDPOINT. `drain`: seconds, unless set. */
export function readOperationSettings(given: {
  readonly setting: (name: string) => string | undefined;
  readonly oneOf: <T extends string>(name: string, values: readonly T[], otherwise: T) => T;
  readonly drain: number;
  readonly faults: string[];
}): OperationSettings {
  const { setting, oneOf, faults } = given;
  const drainSeconds = Number(setting('DRAIN_SECONDS') ?? given.drain);
  if (!(drainSeconds >= 0 && drainSeconds <= 10)) faults.push('DRAIN_SECONDS must be a number from 0 to 10');
  const trustProxy = (setting('TRUST_PROXY') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (trustProxy.some((part) => !/^[0-9a-f.:]+(\/\d{1,3})?$/i.test(part))) {
    faults.push('TRUST_PROXY must list addresses or CIDR ranges, separated by commas');
  }
  const collector = setting('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (collector !== undefined && !isCollector(collector)) {
    faults.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address without a query');
  }
  return {
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    trustProxy,
    drain: drainSeconds * 1_000,
    serverTiming: oneOf('SERVER_TIMING', ['off', 'on'], 'off') === 'on',
    traceEndpoint: collector !== undefined && isCollector(collector) ? new URL(collector) : undefined,
  };
}

function isCollector(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && search === '' && hash === '';
}
