import type { Reading } from './reading.ts';
export interface TraceSettings {
  /** Where a collector of OpenTelemetry takes traces. */
  readonly url: URL;
  readonly timeoutMs: number;
  /** The share that is sent, 0 to 1. */
  readonly share: number;
  /** Attributes that the operator gives this installation. */
  readonly resource: Readonly<Record<string, string>>;
}

/** Reads EVIDENCE_DAYS, REASON_DAYS and AUDIT_DAYS. */
export function readRetentionSettings({ read }: Reading) {
  return {
    /** For evidence: My record and its signed copy. */
    evidenceDays: read('EVIDENCE_DAYS'),
    /** For reasons for leaving. */
    reasonDays: read('REASON_DAYS'),
    /** For the audit log. */
    auditDays: read('AUDIT_DAYS'),
  };
}

/** HOST, METRICS_PORT, LOG_LEVEL, TRUST_PROXY, DRAIN_SECONDS, SERVER_TIMING and OTEL_…. */
export function readOperationSettings({ read }: Reading, { isSandbox }: { isSandbox: boolean }) {
  // By default the sandbox is open to its own machine only.
  const host = read('HOST') ?? (isSandbox ? '127.0.0.1' : 'all');
  return {
    /** undefined: all addresses of this machine. */
    host: host === 'all' ? undefined : host,
    /** Milliseconds between the stop signal and the end of new connections. */
    drain: (read('DRAIN_SECONDS') ?? (isSandbox ? 1 : 5)) * 1_000,
    trustProxy: read('TRUST_PROXY'),
    traces: readTraces(read),
    /** Port of the metrics; undefined: at the port of the pages, with a token only. */
    metricsPort: read('METRICS_PORT'),
    logLevel: read('LOG_LEVEL'),
    serverTiming: read('SERVER_TIMING') === 'on',
    /** Milliseconds after which a waiting withdrawal becomes a task of the organization below. */
    stuckAfter: read('STUCK_HOURS') * 3_600_000,
    taskOrganization: read('TASK_ORGANIZATION')?.toLowerCase(),
  };
}

function readTraces(read: Reading['read']): TraceSettings | undefined {
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const sampler = read('OTEL_TRACES_SAMPLER').replace('parentbased_', '');
  const ratio = read('OTEL_TRACES_SAMPLER_ARG');
  const isOff = read('OTEL_SDK_DISABLED') === 'true' || read('OTEL_TRACES_EXPORTER') === 'none';
  const name = read('OTEL_SERVICE_NAME');
  const settings = {
    resource: {
      ...read('OTEL_RESOURCE_ATTRIBUTES'),
      ...(name === undefined ? {} : { 'service.name': name }),
    },
    timeoutMs: read('OTEL_EXPORTER_OTLP_TIMEOUT'),
    share: sampler === 'always_off' ? 0 : sampler === 'always_on' ? 1 : ratio,
  };
  // Read only to refuse another value.
  read('OTEL_EXPORTER_OTLP_PROTOCOL');
  const url = own ?? (base && new URL(`${base.href.replace(/\/$/, '')}/v1/traces`));
  return url === undefined || isOff ? undefined : { url, ...settings };
}
