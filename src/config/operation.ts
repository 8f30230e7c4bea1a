import type { Reading } from './reading.ts';
import type { SettingValue } from './settings.ts';

/** How the process is run and watched. */
export interface OperationSettings {
  /** The address to listen at; undefined: all of this machine's. */
  readonly host: string | undefined;
  /** Where metrics are shown by themselves; undefined: beside the pages, by their token alone. */
  readonly metricsPort: number | undefined;
  readonly logLevel: SettingValue<'LOG_LEVEL'>;
  /** Addresses or CIDR ranges of proxies in front. */
  readonly trustProxy: readonly string[];
  /** Milliseconds between the signal to leave and the end of new connections. */
  readonly drain: number;
  readonly serverTiming: boolean;
  /** Of a collector of OpenTelemetry, without `/v1/traces`; undefined: no traces. */
  readonly traceEndpoint: URL | undefined;
}

/** HOST, METRICS_PORT, LOG_LEVEL, TRUST_PROXY, DRAIN_SECONDS, SERVER_TIMING and OTEL_EXPORTER_OTLP_ENDPOINT. */
export function readOperationSettings(
  { read }: Reading,
  { isSandbox }: { isSandbox: boolean },
): OperationSettings {
  // The sandbox should be reached by its own machine only, unless HOST says otherwise.
  const host = read('HOST') ?? (isSandbox ? '127.0.0.1' : 'all');
  return {
    host: host === 'all' ? undefined : host,
    drain: (read('DRAIN_SECONDS') ?? (isSandbox ? 1 : 5)) * 1_000,
    trustProxy: read('TRUST_PROXY'),
    traceEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    metricsPort: read('METRICS_PORT'),
    logLevel: read('LOG_LEVEL'),
    serverTiming: read('SERVER_TIMING') === 'on',
  };
}
