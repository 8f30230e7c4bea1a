import { z } from 'zod';
import { is, like, listOf, mapOf, members, one, text, whole, yes } from './schema.ts';

const duration = like(/^\d+s$/);
const size = like(/^\d+[mg]$/);
const confined = {
  image: text,
  restart: is(['unless-stopped', 'no']),
  read_only: yes,
  cap_drop: one(is('ALL')),
  security_opt: one(is('no-new-privileges:true')),
  logging: members({ driver: text }),
  volumes: listOf(like(/^[./\w-]+:\/[^:]+(:ro)?$/)),
};
const ours = {
  ...confined,
  image: is('sayso'),
  build: members({
    context: is('.'),
    args: members({ NODE_IMAGE: like(/^\$\{NODE_IMAGE:\?/) }),
  }),
  tmpfs: listOf(text),
};
const running = {
  depends_on: mapOf(members({ condition: is(['service_healthy', 'service_completed_successfully']) })),
  stop_grace_period: duration,
};
const healthcheck = members({
  test: z.tuple([is('CMD'), text], text),
  interval: duration,
  timeout: duration,
  retries: whole,
  start_period: duration,
});

const node = members({
  ...ours,
  ...running,
  env_file: listOf(members({ path: text, required: z.boolean() })),
  environment: mapOf(text),
  networks: listOf(text),
  mem_limit: size,
  pids_limit: whole,
});

const balancer = members({
  ...confined,
  ...running,
  ports: listOf(like(/^\d+:\d+$/)),
  networks: members({ front: members({ ipv4_address: like(/^[\d.]+$/) }) }),
  healthcheck,
  stop_signal: is('SIGUSR1'),
  mem_limit: size,
});

const postgres = members({
  ...confined,
  ...running,
  user: is('postgres'),
  environment: members({
    POSTGRES_USER: text,
    POSTGRES_PASSWORD_FILE: text,
    POSTGRES_INITDB_ARGS: text,
  }),
  tmpfs: listOf(text),
  shm_size: size,
  networks: listOf(text),
  healthcheck,
});

const secrets = members({
  ...ours,
  user: is('0:0'),
  cap_add: one(is('DAC_OVERRIDE')),
  network_mode: is('none'),
  command: z.tuple([is('node'), is('/deploy/secrets.mjs')]),
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
});

/** Schema of the parts of the Compose specification that compose.yaml uses; others are refused. */
export const composeSchema = members({
  name: text,
  'x-confined': mapOf(z.unknown()),
  'x-build': mapOf(z.unknown()),
  'x-node': mapOf(z.unknown()),
  services: members({ balancer, 'node-1': node, 'node-2': node, postgres, secrets }),
  secrets: mapOf(members({ file: text })),
  volumes: mapOf(z.null()),
  networks: members({
    front: members({ ipam: members({ config: one(members({ subnet: text, ip_range: text })) }) }),
    data: members({ internal: yes }),
  }),
});

export type Compose = z.infer<typeof composeSchema>;
