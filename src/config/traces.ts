import type { Reading } from './reading.ts';

/** undefined: no traces. */
export function readTraces({ read }: Reading) {
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const sampler = read('OTEL_TRACES_SAMPLER').replace('parentbased_', '');
  const ratio = read('OTEL_TRACES_SAMPLER_ARG');
  const isOff = read('OTEL_SDK_DISABLED') === 'true' || read('OTEL_TRACES_EXPORTER') === 'none';
  const name = read('OTEL_SERVICE_NAME');
  /** Attributes that the operator gives this installation. */
  const resource = {
    ...read('OTEL_RESOURCE_ATTRIBUTES'),
    ...(name === undefined ? {} : { 'service.name': name }),
  };
  const timeoutMs = read('OTEL_EXPORTER_OTLP_TIMEOUT');
  // Read only to refuse another value.
  read('OTEL_EXPORTER_OTLP_PROTOCOL');
  const url = own ?? (base && new URL(`${base.href.replace(/\/$/, '')}/v1/traces`));
  if (url === undefined || isOff) return undefined;
  /** The share that is sent, 0 to 1. */
  const share = sampler === 'always_off' ? 0 : sampler === 'always_on' ? 1 : ratio;
  return { url, resource, timeoutMs, share };
}
