import { z } from 'zod';
import { is, like, listOf, mapOf, members, no, one, text, whole, yes } from './schema.ts';

const mebibytes = like(/^\d+Mi$/);
const labels = mapOf(text);
const selector = members({ matchLabels: labels });
const named = is('sayso');
const metadata = members({ name: named, labels: labels.optional(), annotations: labels.optional() });
const portName = is(['http', 'metrics']);

function resource<R extends z.ZodRawShape>(apiVersion: string, kind: string, rest: R) {
  return members({ apiVersion: is(apiVersion), kind: is(kind), metadata, ...rest });
}

const probe = members({
  httpGet: members({ path: like(/^\//), port: portName }),
  periodSeconds: whole,
  timeoutSeconds: whole,
  failureThreshold: whole,
});

const container = members({
  name: is('node'),
  image: named,
  imagePullPolicy: is('IfNotPresent'),
  envFrom: listOf(members({ configMapRef: members({ name: named }) })),
  env: listOf(members({ name: text, value: text })),
  ports: listOf(members({ name: portName, containerPort: whole })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: members({
    requests: members({ cpu: like(/^\d+m$/), memory: mebibytes }),
    limits: members({ memory: mebibytes }),
  }),
  securityContext: members({
    allowPrivilegeEscalation: no,
    readOnlyRootFilesystem: yes,
    capabilities: members({ drop: one(is('ALL')) }),
  }),
  volumeMounts: listOf(members({ name: text, mountPath: like(/^\//), readOnly: yes.optional() })),
});

const spread = members({
  maxSkew: is(1),
  topologyKey: is(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']),
  whenUnsatisfiable: is(['ScheduleAnyway', 'DoNotSchedule']),
  labelSelector: selector,
});

const volume = z.union([
  // The manifest has the decimal 288, because YAML 1.1 and 1.2 read 0440 differently.
  members({ name: text, secret: members({ secretName: named, defaultMode: is(0o440) }) }),
  members({ name: text, emptyDir: members({ medium: is('Memory'), sizeLimit: mebibytes }) }),
  members({ name: text, persistentVolumeClaim: members({ claimName: named }) }),
]);

const pod = members({
  automountServiceAccountToken: no,
  enableServiceLinks: no,
  securityContext: members({
    runAsNonRoot: yes,
    runAsUser: is(1000),
    runAsGroup: is(1000),
    fsGroup: is(1000),
    seccompProfile: members({ type: is('RuntimeDefault') }),
  }),
  topologySpreadConstraints: listOf(spread),
  terminationGracePeriodSeconds: whole,
  containers: one(container),
  volumes: listOf(volume),
});

const ports = listOf(members({ port: whole, protocol: is(['TCP', 'UDP']) }));
const ipBlock = members({ cidr: like(/^[\d.]+\/\d+$/), except: listOf(text).optional() });
const peers = listOf(z.union([members({ namespaceSelector: selector }), members({ ipBlock })]));
const ingressPath = members({
  path: is('/'),
  pathType: is(['Prefix', 'Exact']),
  backend: members({ service: members({ name: named, port: members({ name: portName }) }) }),
});
const usage = members({
  name: is('cpu'),
  target: members({ type: is('Utilization'), averageUtilization: whole }),
});

/** Schemas of the parts of Kubernetes that the manifests use, by kind; others are refused. */
export const kubernetesSchemas = {
  Namespace: resource('v1', 'Namespace', {}),
  ConfigMap: resource('v1', 'ConfigMap', { data: labels }),
  // The example must have no values, because it is in the repository.
  Secret: resource('v1', 'Secret', { type: is('Opaque'), stringData: mapOf(is('')) }),
  PersistentVolumeClaim: resource('v1', 'PersistentVolumeClaim', {
    spec: members({
      accessModes: one(is('ReadWriteMany')),
      resources: members({ requests: members({ storage: mebibytes }) }),
    }),
  }),
  Deployment: resource('apps/v1', 'Deployment', {
    spec: members({
      revisionHistoryLimit: whole,
      selector,
      strategy: members({
        type: is('RollingUpdate'),
        rollingUpdate: members({ maxSurge: whole, maxUnavailable: whole }),
      }),
      template: members({ metadata: members({ labels }), spec: pod }),
    }),
  }),
  Service: resource('v1', 'Service', {
    spec: members({
      type: is('ClusterIP'),
      selector: labels,
      ports: listOf(members({ name: portName, port: whole, targetPort: portName })),
    }),
  }),
  Ingress: resource('networking.k8s.io/v1', 'Ingress', {
    spec: members({
      ingressClassName: text,
      tls: listOf(members({ hosts: listOf(text), secretName: text })),
      rules: listOf(members({ host: text, http: members({ paths: listOf(ingressPath) }) })),
    }),
  }),
  HorizontalPodAutoscaler: resource('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: members({
      scaleTargetRef: members({ apiVersion: is('apps/v1'), kind: is('Deployment'), name: named }),
      minReplicas: z.int().min(2),
      maxReplicas: whole,
      metrics: listOf(members({ type: is('Resource'), resource: usage })),
      behavior: members({ scaleDown: members({ stabilizationWindowSeconds: whole }) }),
    }),
  }),
  PodDisruptionBudget: resource('policy/v1', 'PodDisruptionBudget', {
    spec: members({ maxUnavailable: is(1), selector }),
  }),
  NetworkPolicy: resource('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: members({
      podSelector: selector,
      policyTypes: z.tuple([is('Ingress'), is('Egress')]),
      ingress: listOf(members({ from: peers, ports })),
      egress: listOf(members({ to: peers, ports })),
    }),
  }),
  Kustomization: members({
    apiVersion: is('kustomize.config.k8s.io/v1beta1'),
    kind: is('Kustomization'),
    namespace: text,
    labels: listOf(members({ pairs: labels, includeSelectors: yes })),
    resources: listOf(like(/^[a-z-]+\.yaml$/)),
    images: listOf(members({ name: named, newName: text, digest: like(/^sha256:[0-9a-f]{64}$/) })),
  }),
};
