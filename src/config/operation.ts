import { BlockList, isIP } from 'node:net';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** How the process is run and watched. */
export interface OperationSettings {
  /** The address to listen at; undefined: all of this machine's. */
  readonly host: string | undefined;
  /** Where metrics are shown by themselves; undefined: beside the pages, by their token alone. */
  readonly metricsPort: number | undefined;
  readonly logLevel: (typeof logLevels)[number];
  /** Addresses or CIDR ranges of proxies in front. */
  readonly trustProxy: readonly string[];
  /** Milliseconds between the signal to leave and the end of new connections. */
  readonly drain: number;
  readonly serverTiming: boolean;
  /** Of a collector of OpenTelemetry, without `/v1/traces`; undefined: no traces. */
  readonly traceEndpoint: URL | undefined;
}

/** HOST, METRICS_PORT, LOG_LEVEL, TRUST_PROXY, DRAIN_SECONDS, SERVER_TIMING and OTEL_EXPORTER_OTLP_ENDPOINT. `drain`: seconds, unless set. */
export function readOperationSettings(given: {
  readonly setting: (name: string) => string | undefined;
  readonly oneOf: <T extends string>(name: string, values: readonly T[], otherwise: T) => T;
  readonly port: (name: string) => number | undefined;
  readonly drain: number;
  /** Whom only this machine should reach, unless HOST says otherwise. */
  readonly isSandbox: boolean;
  readonly faults: string[];
}): OperationSettings {
  const { setting, oneOf, faults } = given;
  const host = setting('HOST') ?? (given.isSandbox ? '127.0.0.1' : 'all');
  if (host !== 'all' && host !== 'localhost' && isIP(host) === 0) {
    faults.push('HOST must be an address of this machine, such as 127.0.0.1, or all');
  }
  const drainSeconds = Number(setting('DRAIN_SECONDS') ?? given.drain);
  if (!(drainSeconds >= 0 && drainSeconds <= 10)) faults.push('DRAIN_SECONDS must be a number from 0 to 10');
  const trustProxy = (setting('TRUST_PROXY') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const [index, part] of trustProxy.entries()) {
    const fault = proxyFaultOf(part);
    if (fault !== undefined) faults.push(`TRUST_PROXY: number ${index + 1} of the list ${fault}`);
  }
  const collector = setting('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (collector !== undefined && !isCollector(collector)) {
    faults.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address without a query');
  }
  return {
    host: host === 'all' ? undefined : host,
    metricsPort: given.port('METRICS_PORT'),
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    trustProxy,
    drain: drainSeconds * 1_000,
    serverTiming: oneOf('SERVER_TIMING', ['off', 'on'], 'off') === 'on',
    traceEndpoint: collector !== undefined && isCollector(collector) ? new URL(collector) : undefined,
  };
}

/** What express would stop at with a stack, or what would make everybody a proxy. */
function proxyFaultOf(entry: string): string | undefined {
  const [, address = '', prefix] = /^([^/]*)(?:\/(.*))?$/.exec(entry) ?? [];
  const version = isIP(address);
  const isOdd = version === 6 && /[.%]/.test(address);
  if (version === 0 || isOdd)
    return 'is no address or CIDR range: write them as 192.0.2.1, 10.0.0.0/8 or fd00::/8, separated by commas, never a name';
  if (prefix === undefined) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)
    return `has a prefix that is no number from 1 to ${bits}`;
  const isWide =
    version === 4 ? Number(prefix) < leastBits.v4 : isWideV6({ address, prefix: Number(prefix) });
  return isWide
    ? 'is everybody, or a large part of them: whoever calls there could say to be any client'
    : undefined;
}

/** A few ranges that are wider would together be everybody. `v6`: of all that is private (fc00::/7). */
const leastBits = { v4: 8, v6: 7 };

/** Also what holds all of IPv4 as IPv6 writes it. */
function isWideV6({ address, prefix }: { readonly address: string; readonly prefix: number }): boolean {
  if (prefix < leastBits.v6) return true;
  if (prefix >= 96 + leastBits.v4) return false;
  const range = new BlockList();
  range.addSubnet(address, prefix, 'ipv6');
  return range.check('::ffff:0:1', 'ipv6') || range.check('::ffff:ffff:ffff', 'ipv6');
}

function isCollector(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && search === '' && hash === '';
}
