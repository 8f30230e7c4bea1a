import type { AnySchema } from 'ajv';
import { like, listOf, mapOf, members, oneOf, text, whole, yes } from './schema.ts';

const no = { const: false } as const;
const labels = mapOf(text);
const selector = members({ matchLabels: labels });
const named = { const: 'sayso' } as const;
const metadata = members({ name: named, 'labels?': labels, 'annotations?': labels });
const portName = oneOf('http', 'metrics');

function resource(apiVersion: string, kind: string, rest: Readonly<Record<string, AnySchema>>) {
  return members({ apiVersion: { const: apiVersion }, kind: { const: kind }, metadata, ...rest });
}

const probe = members({
  httpGet: members({ path: like('^/'), port: portName }),
  periodSeconds: whole,
  timeoutSeconds: whole,
  failureThreshold: whole,
});

const container = members({
  name: { const: 'node' },
  image: named,
  imagePullPolicy: oneOf('IfNotPresent'),
  envFrom: listOf(members({ configMapRef: members({ name: named }) })),
  env: listOf(members({ name: text, value: text })),
  ports: listOf(members({ name: portName, containerPort: whole })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: members({
    requests: members({ cpu: like('^\\d+m$'), memory: like('^\\d+Mi$') }),
    limits: members({ memory: like('^\\d+Mi$') }),
  }),
  securityContext: members({
    allowPrivilegeEscalation: no,
    readOnlyRootFilesystem: yes,
    capabilities: members({ drop: { const: ['ALL'] } }),
  }),
  volumeMounts: listOf(members({ name: text, mountPath: like('^/'), 'readOnly?': yes })),
});

const spread = members({
  maxSkew: { const: 1 },
  topologyKey: oneOf('kubernetes.io/hostname', 'topology.kubernetes.io/zone'),
  whenUnsatisfiable: oneOf('ScheduleAnyway', 'DoNotSchedule'),
  labelSelector: selector,
});

const pod = members({
  automountServiceAccountToken: no,
  enableServiceLinks: no,
  securityContext: members({
    runAsNonRoot: yes,
    runAsUser: { const: 1000 },
    runAsGroup: { const: 1000 },
    fsGroup: { const: 1000 },
    seccompProfile: members({ type: { const: 'RuntimeDefault' } }),
  }),
  topologySpreadConstraints: listOf(spread),
  terminationGracePeriodSeconds: whole,
  containers: { type: 'array', minItems: 1, maxItems: 1, items: container },
  volumes: listOf({
    oneOf: [
      // In decimal: YAML 1.1 and 1.2 read 0440 as two numbers.
      members({ name: text, secret: members({ secretName: named, defaultMode: { const: 0o440 } }) }),
      members({
        name: text,
        emptyDir: members({ medium: { const: 'Memory' }, sizeLimit: like('^\\d+Mi$') }),
      }),
      members({ name: text, persistentVolumeClaim: members({ claimName: named }) }),
    ],
  }),
});

const deployment = resource('apps/v1', 'Deployment', {
  spec: members({
    revisionHistoryLimit: whole,
    selector,
    strategy: members({
      type: { const: 'RollingUpdate' },
      rollingUpdate: members({ maxSurge: whole, maxUnavailable: whole }),
    }),
    template: members({ metadata: members({ labels }), spec: pod }),
  }),
});

const port = members({ port: whole, protocol: oneOf('TCP', 'UDP') });
const peer = {
  oneOf: [
    members({ namespaceSelector: selector }),
    members({ ipBlock: members({ cidr: like('^[\\d.]+/\\d+$'), 'except?': listOf(text) }) }),
  ],
};

/** Exactly what the files use of the resources of Kubernetes, by kind. */
export const kubernetesSchemas: Readonly<Record<string, AnySchema>> = {
  Namespace: resource('v1', 'Namespace', {}),
  ConfigMap: resource('v1', 'ConfigMap', { data: mapOf(text) }),
  // With no values: what is in a repository is no secret.
  Secret: resource('v1', 'Secret', { type: { const: 'Opaque' }, stringData: mapOf({ const: '' }) }),
  PersistentVolumeClaim: resource('v1', 'PersistentVolumeClaim', {
    spec: members({
      accessModes: { const: ['ReadWriteMany'] },
      resources: members({ requests: members({ storage: like('^\\d+Mi$') }) }),
    }),
  }),
  Deployment: deployment,
  Service: resource('v1', 'Service', {
    spec: members({
      type: { const: 'ClusterIP' },
      selector: labels,
      ports: listOf(members({ name: portName, port: whole, targetPort: portName })),
    }),
  }),
  Ingress: resource('networking.k8s.io/v1', 'Ingress', {
    spec: members({
      ingressClassName: text,
      tls: listOf(members({ hosts: listOf(text), secretName: text })),
      rules: listOf(
        members({
          host: text,
          http: members({
            paths: listOf(
              members({
                path: { const: '/' },
                pathType: oneOf('Prefix', 'Exact'),
                backend: members({ service: members({ name: named, port: members({ name: portName }) }) }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
  HorizontalPodAutoscaler: resource('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: members({
      scaleTargetRef: members({
        apiVersion: { const: 'apps/v1' },
        kind: { const: 'Deployment' },
        name: named,
      }),
      minReplicas: { type: 'integer', minimum: 2 },
      maxReplicas: whole,
      metrics: listOf(
        members({
          type: { const: 'Resource' },
          resource: members({
            name: { const: 'cpu' },
            target: members({ type: { const: 'Utilization' }, averageUtilization: whole }),
          }),
        }),
      ),
      behavior: members({ scaleDown: members({ stabilizationWindowSeconds: whole }) }),
    }),
  }),
  PodDisruptionBudget: resource('policy/v1', 'PodDisruptionBudget', {
    spec: members({ maxUnavailable: { const: 1 }, selector }),
  }),
  NetworkPolicy: resource('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: members({
      podSelector: selector,
      policyTypes: { const: ['Ingress', 'Egress'] },
      ingress: listOf(members({ from: listOf(peer), ports: listOf(port) })),
      egress: listOf(members({ to: listOf(peer), ports: listOf(port) })),
    }),
  }),
  Kustomization: members({
    apiVersion: { const: 'kustomize.config.k8s.io/v1beta1' },
    kind: { const: 'Kustomization' },
    namespace: text,
    labels: listOf(members({ pairs: labels, includeSelectors: yes })),
    resources: listOf(like('^[a-z-]+\\.yaml$')),
    images: listOf(members({ name: named, newName: text, digest: like('^sha256:[0-9a-f]{64}$') })),
  }),
};

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly resources: {
    readonly requests: { readonly memory: string };
    readonly limits: { readonly memory: string };
  };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface Deployment {
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly strategy: { readonly rollingUpdate: { readonly maxSurge: number } };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string; readonly secret?: unknown }[];
      };
    };
  };
}
