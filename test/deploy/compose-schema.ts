import { flag, like, listOf, mapOf, members, oneOf, text, whole, yes } from './schema.ts';

const duration = like('^\\d+s$');
const size = like('^\\d+[mg]$');
const confined = {
  restart: oneOf('unless-stopped', 'no'),
  read_only: yes,
  cap_drop: { const: ['ALL'] },
  security_opt: { const: ['no-new-privileges:true'] },
  logging: members({ driver: text }),
};
const build = members({
  context: { const: '.' },
  args: members({ NODE_IMAGE: like('^\\$\\{NODE_IMAGE:\\?') }),
});
const dependsOn = mapOf(members({ condition: oneOf('service_healthy', 'service_completed_successfully') }));
const healthCheck = members({
  test: { type: 'array', minItems: 2, items: text, contains: { const: 'CMD' } },
  interval: duration,
  timeout: duration,
  retries: whole,
  start_period: duration,
});
const mounts = listOf(like('^[./\\w-]+:/[^:]+(:ro)?$'));

const node = members({
  ...confined,
  image: { const: 'sayso' },
  build,
  depends_on: dependsOn,
  env_file: listOf(members({ path: text, required: flag })),
  environment: mapOf(text),
  stop_grace_period: duration,
  volumes: mounts,
  tmpfs: listOf(text),
  networks: listOf(text),
  mem_limit: size,
  pids_limit: whole,
});

const balancer = members({
  ...confined,
  image: text,
  depends_on: dependsOn,
  ports: listOf(like('^\\d+:\\d+$')),
  volumes: mounts,
  networks: members({ front: members({ ipv4_address: like('^[\\d.]+$') }) }),
  healthcheck: healthCheck,
  stop_signal: oneOf('SIGUSR1'),
  stop_grace_period: duration,
  mem_limit: size,
});

const postgres = members({
  ...confined,
  image: text,
  user: { const: 'postgres' },
  depends_on: dependsOn,
  environment: members({
    POSTGRES_USER: text,
    POSTGRES_PASSWORD_FILE: text,
    POSTGRES_INITDB_ARGS: text,
  }),
  volumes: mounts,
  tmpfs: listOf(text),
  shm_size: size,
  networks: listOf(text),
  healthcheck: healthCheck,
  stop_grace_period: duration,
});

const secrets = members({
  ...confined,
  image: { const: 'sayso' },
  build,
  user: { const: '0:0' },
  cap_add: { const: ['DAC_OVERRIDE'] },
  network_mode: { const: 'none' },
  command: { const: ['node', '/deploy/secrets.mjs'] },
  healthcheck: members({ disable: yes }),
  environment: members({
    PLATFORM_CLIENT_SECRET: text,
    SECRET: text,
    HAPROXY_IMAGE: text,
    POSTGRES_IMAGE: text,
    CERTIFICATE_FILE: text,
    SECRETS_FOLDER: text,
  }),
  secrets: listOf(members({ source: text, target: text })),
  volumes: mounts,
  tmpfs: listOf(text),
});

const unnamed = { type: 'null' } as const;

/** Exactly what compose.yaml uses of the Compose specification. */
export const composeSchema = members({
  name: text,
  'x-confined': mapOf({}),
  'x-build': mapOf({}),
  'x-node': mapOf({}),
  services: members({ balancer, 'node-1': node, 'node-2': node, postgres, secrets }),
  secrets: mapOf(members({ file: text })),
  volumes: mapOf(unnamed),
  networks: members({
    front: members({
      ipam: members({ config: listOf(members({ subnet: text, ip_range: text })) }),
    }),
    data: members({ internal: yes }),
  }),
});

export interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: unknown;
  readonly user?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stop_grace_period: string;
  readonly volumes: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
  readonly tmpfs?: readonly string[];
}

export interface Compose {
  readonly services: Readonly<Record<'balancer' | 'node-1' | 'node-2' | 'postgres' | 'secrets', Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: {
    readonly front: { readonly ipam: { readonly config: readonly { subnet: string }[] } };
  };
}
