import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { readYaml } from '../deploy/files.ts';
import { askPodman } from './container.ts';
import type { Image } from './image.ts';

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { containers: Record<string, unknown>[]; volumes: Volume[] } };
  };
}

interface Volume {
  readonly name: string;
  persistentVolumeClaim?: { claimName: string };
  secret?: unknown;
  hostPath?: { readonly path: string };
}

/**
 * Runs the manifests of one pod by `podman kube play`. Podman 4.3 lacks parts of Kubernetes: it does not
 * decode secrets, so a folder replaces them; on the host network, ports and probes cannot have names.
 */
export function playPod(
  image: Image,
  given: {
    readonly settings: object;
    readonly secrets: Readonly<Record<string, string>>;
    readonly port: number;
  },
) {
  const folder = mkdtempSync(join(dirname(image.configuration), 'pod-'));
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets);
  for (const [name, text] of Object.entries(given.secrets)) writeFileSync(join(secrets, name), text);
  const manifest = (name: string) => readYaml(join('deploy/kubernetes', `${name}.yaml`));
  const [configuration] = manifest('configuration') as { data: object }[];
  const [deployment] = manifest('deployment') as Deployment[];
  const { containers = [], volumes = [] } = deployment?.spec.template.spec ?? {};
  for (const container of containers) {
    container['image'] = image.name;
    delete container['ports'];
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      (container[probe] as { httpGet: { port: unknown } }).httpGet.port = given.port;
  }
  for (const volume of volumes) {
    if (volume.secret === undefined) continue;
    delete volume.secret;
    volume.hostPath = { path: secrets };
  }
  const file = join(folder, 'pod.yaml');
  const all = [
    { ...configuration, data: { ...configuration?.data, ...given.settings } },
    ...manifest('erased'),
    deployment,
  ];
  writeFileSync(file, all.map((each) => `---\n${stringify(each)}`).join(''));
  const { stderr, status } = askPodman(image, 'kube', 'play', '--network', 'host', file);
  if (status !== 0) throw new Error(stderr);
  const stateOf = (member: string) =>
    Number(askPodman(image, 'inspect', '--format', `{{.State.${member}}}`, node).stdout);
  return {
    /** Process id of the product on the machine. */
    pid: stateOf('Pid'),
    output: () => askPodman(image, 'logs', node).stderr,
    /** Stops the pod and returns the product's exit code. */
    end() {
      askPodman(image, 'pod', 'stop', '--time', '30', 'sayso-pod-0');
      const code = stateOf('ExitCode');
      askPodman(image, 'pod', 'rm', '--force', 'sayso-pod-0');
      return code;
    },
  };
}

const node = 'sayso-pod-0-node';
