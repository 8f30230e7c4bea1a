import type { Config } from '../config/environment.ts';
import type { CenterConfig } from '../core/model/center/center-config.ts';

/**
 * The parts of an installation for the log: address or state of each that is on, the setting for each that is
 * off.
 */
export function overviewOf(config: Config) {
  const { origin } = config.publicUrl;
  const { centers, mail, staff, metricsPort, metricsToken, traces, database, dataDir } = config;
  const addresses = centers?.map(({ name }) => `${origin}/centers/${name}`);
  const namesWith = (has: (center: CenterConfig) => boolean) =>
    listed((centers ?? []).filter(has).map(({ name }) => name));
  const metrics = [
    ...(metricsPort === undefined ? [] : [`port ${metricsPort}`]),
    ...(metricsToken === undefined ? [] : [`${origin}/metrics by METRICS_TOKEN`]),
  ];
  const parts: readonly (readonly [name: string, where: string | undefined, how: string])[] = [
    ['centers', addresses?.join(' ') ?? `${origin}/centers/<id>, each of the platform's list`, ''],
    ['one click', `${origin}/u/<token>`, ''],
    ['links of hosted pages', `${origin}/ui/`, ''],
    ['staff pages', `${origin}/staff${staff === undefined ? ', by npm run staff-key' : ''}`, ''],
    ['staff by OpenID Connect', staff?.issuer.href, 'STAFF_OIDC_ISSUER'],
    ['sign-in by mail', mail && 'by SMTP', 'SMTP_URL'],
    [
      'single sign-on',
      namesWith(({ signIn }) => signIn.singleSignOn !== undefined),
      'signIn.singleSignOn in CENTERS_FILE',
    ],
    ['mail after changes', namesWith(({ notify }) => notify === true), 'notify in CENTERS_FILE'],
    ['events', namesWith(({ events = [] }) => events.length > 0), 'events in CENTERS_FILE'],
    ['metrics', listed(metrics), 'METRICS_PORT or METRICS_TOKEN'],
    ['traces', traces?.url.origin, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['database', database === undefined ? `files in ${dataDir}` : 'PostgreSQL', ''],
    ['health', `${origin}/health/live ${origin}/health/ready`, ''],
  ];
  const entries = (isOn: boolean) =>
    parts.flatMap(([name, where, how]) => ((where !== undefined) === isOn ? [[name, where ?? how]] : []));
  return { on: Object.fromEntries(entries(true)), off: Object.fromEntries(entries(false)) };
}

function listed(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.join(', ');
}
