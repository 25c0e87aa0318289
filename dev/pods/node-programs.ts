/**
 * Lists the programs of the node with their arguments: control plane, containerd, kubelet, kube-
 * proxy.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CGROUP,
  CRD_LAYER_PORT,
  DNS_ADDRESS,
  NODE_ADDRESS,
  NODE_NAME,
  POD_RANGE,
  SERVICE_RANGE,
} from './layout.ts'
import { PAUSE } from './images.ts'

const ETCD = 'http://127.0.0.1:2379'
const ETCD_PEER = 'http://127.0.0.1:2380'
/** Kinds that an API server of 1.20 does not have. */
const UNUSED_ADMISSION = [
  'ValidatingAdmissionPolicy',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionWebhook',
]
const CONTAINERD_SOCKET = '/run/containerd/containerd.sock'

/** Paths of the files of a cluster. */
export interface Places {
  /** Certificates and kubeconfigs. */
  pki: string
  /** Folder for the state of this cluster. */
  state: string
  /** Images and layers, which outlive the cluster. */
  containerd: string
  /** Unpacked Debian packages. */
  packages: string
}

/** A program by its name, and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

export const etcd = ({ state }: Places): Command => [
  'etcd',
  `--data-dir=${join(state, 'etcd')}`,
  `--listen-client-urls=${ETCD}`,
  `--advertise-client-urls=${ETCD}`,
  `--listen-peer-urls=${ETCD_PEER}`,
  `--initial-advertise-peer-urls=${ETCD_PEER}`,
  `--initial-cluster=default=${ETCD_PEER}`,
  '--unsafe-no-fsync',
]

export const apiServer = ({ pki }: Places): Command => [
  'kube-apiserver',
  `--etcd-servers=${ETCD}`,
  '--secure-port=6443',
  '--bind-address=0.0.0.0',
  `--advertise-address=${NODE_ADDRESS}`,
  `--client-ca-file=${pki}/ca.crt`,
  `--tls-cert-file=${pki}/apiserver.crt`,
  `--tls-private-key-file=${pki}/apiserver.key`,
  `--kubelet-client-certificate=${pki}/apiserver-kubelet-client.crt`,
  `--kubelet-client-key=${pki}/apiserver-kubelet-client.key`,
  `--kubelet-certificate-authority=${pki}/ca.crt`,
  '--kubelet-preferred-address-types=InternalIP',
  `--requestheader-client-ca-file=${pki}/front-proxy-ca.crt`,
  '--requestheader-allowed-names=front-proxy-client',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-username-headers=X-Remote-User',
  `--proxy-client-cert-file=${pki}/front-proxy-client.crt`,
  `--proxy-client-key-file=${pki}/front-proxy-client.key`,
  '--enable-aggregator-routing=true',
  '--authorization-mode=Node,RBAC',
  '--enable-admission-plugins=NodeRestriction',
  '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
  `--service-account-key-file=${pki}/accounts.pub`,
  `--service-account-signing-key-file=${pki}/accounts.key`,
  `--service-cluster-ip-range=${SERVICE_RANGE}`,
]

/** Custom resources with the rules (CEL) of a newer Kubernetes. */
export const crdLayer = ({ pki }: Places, program: string): Command => [
  program,
  `--etcd-servers=${ETCD}`,
  '--etcd-prefix=/crd-layer',
  `--secure-port=${CRD_LAYER_PORT}`,
  '--bind-address=0.0.0.0',
  `--tls-cert-file=${pki}/crd-layer.crt`,
  `--tls-private-key-file=${pki}/crd-layer.key`,
  `--client-ca-file=${pki}/ca.crt`,
  `--kubeconfig=${pki}/admin.kubeconfig`,
  `--authentication-kubeconfig=${pki}/admin.kubeconfig`,
  `--authorization-kubeconfig=${pki}/admin.kubeconfig`,
  '--enable-priority-and-fairness=false',
  `--disable-admission-plugins=${UNUSED_ADMISSION.join(',')}`,
]

const kubeconfigs = (path: string) => [
  `--kubeconfig=${path}`,
  `--authentication-kubeconfig=${path}`,
  `--authorization-kubeconfig=${path}`,
]

export const controllerManager = ({ pki }: Places): Command => [
  'kube-controller-manager',
  ...kubeconfigs(`${pki}/controller-manager.kubeconfig`),
  '--bind-address=127.0.0.1',
  '--leader-elect=false',
  '--use-service-account-credentials=true',
  `--service-account-private-key-file=${pki}/accounts.key`,
  `--root-ca-file=${pki}/ca.crt`,
  '--allocate-node-cidrs=false',
  `--cluster-cidr=${POD_RANGE}`,
]

export const scheduler = ({ pki }: Places): Command => [
  'kube-scheduler',
  ...kubeconfigs(`${pki}/scheduler.kubeconfig`),
  '--bind-address=127.0.0.1',
  '--leader-elect=false',
]

/** containerd with runc and a bridge network, whose pods have no way out. */
export function containerd({ state, containerd: root, packages }: Places): Command {
  const network = join(state, 'cni.d')
  mkdirSync(network, { recursive: true })
  const ranges = [[{ subnet: POD_RANGE }]]
  const ipam = { type: 'host-local', ranges, routes: [{ dst: '0.0.0.0/0' }] }
  const bridge = {
    type: 'bridge',
    bridge: 'cni0',
    isGateway: true,
    ipMasq: false,
    hairpinMode: true,
    ipam,
  }
  const plugins = [bridge, { type: 'portmap', capabilities: { portMappings: true } }]
  const conflist = { cniVersion: '0.4.0', name: 'pods', plugins }
  writeFileSync(join(network, '10-bridge.conflist'), JSON.stringify(conflist))
  const unused = ['btrfs', 'zfs', 'aufs', 'devmapper', 'native'].map(
    (name) => `io.containerd.snapshotter.v1.${name}`,
  )
  const disabled = [
    ...unused,
    'io.containerd.tracing.processor.v1.otlp',
    'io.containerd.internal.v1.tracing',
  ]
  const cri = 'plugins."io.containerd.grpc.v1.cri"'
  const config = `version = 2
root = "${root}"
state = "/run/containerd/state"
disabled_plugins = ${JSON.stringify(disabled)}
[grpc]
  address = "${CONTAINERD_SOCKET}"
[${cri}]
  sandbox_image = "${PAUSE}"
  disable_apparmor = true
  # Machines without CAP_SYS_RESOURCE cannot lower a score of the OOM killer.
  restrict_oom_score_adj = true
[${cri}.cni]
  bin_dir = "${packages}/usr/lib/cni"
  conf_dir = "${network}"
[${cri}.containerd]
  snapshotter = "overlayfs"
  default_runtime_name = "runc"
[${cri}.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[${cri}.containerd.runtimes.runc.options]
  BinaryName = "${packages}/usr/sbin/runc"
  SystemdCgroup = false
`
  const path = join(state, 'containerd.toml')
  writeFileSync(path, config)
  return ['containerd', '--config', path]
}

/** The agent that runs pods, with the limits of evictions off that look at the machine's disk. */
export function kubelet({ pki, state }: Places): Command {
  const config = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: `${pki}/ca.crt` },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: `${pki}/kubelet-server.crt`,
    tlsPrivateKeyFile: `${pki}/kubelet-server.key`,
    // The node's own network: see node-init.sh.
    address: '0.0.0.0',
    readOnlyPort: 0,
    healthzBindAddress: '127.0.0.1',
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${CGROUP}`,
    clusterDNS: [DNS_ADDRESS],
    clusterDomain: 'cluster.local',
    resolvConf: join(state, 'resolv.conf'),
    failSwapOn: false,
    // The disk is the machine's, and images come from archives: kubelet must not remove them.
    evictionHard: {
      'memory.available': '200Mi',
      'nodefs.available': '1%',
      'imagefs.available': '1%',
    },
    imageGCHighThresholdPercent: 100,
    serializeImagePulls: false,
    nodeStatusUpdateFrequency: '1s',
    syncFrequency: '10s',
    volumePluginDir: '/run/volume-plugins',
  }
  writeFileSync(join(state, 'resolv.conf'), '')
  const path = join(state, 'kubelet.json')
  writeFileSync(path, JSON.stringify(config))
  return [
    'kubelet',
    `--config=${path}`,
    `--kubeconfig=${pki}/kubelet.kubeconfig`,
    '--container-runtime=remote',
    `--container-runtime-endpoint=unix://${CONTAINERD_SOCKET}`,
    `--hostname-override=${NODE_NAME}`,
    `--node-ip=${NODE_ADDRESS}`,
    '--root-dir=/var/lib/kubelet',
  ]
}

/** Services by rules of iptables. */
export function kubeProxy({ pki, state }: Places): Command {
  const config = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: `${pki}/proxy.kubeconfig` },
    mode: 'iptables',
    clusterCIDR: POD_RANGE,
    hostnameOverride: NODE_NAME,
    // The limits of connection tracking are the machine's.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    healthzBindAddress: '127.0.0.1:10256',
    metricsBindAddress: '127.0.0.1:10249',
  }
  const path = join(state, 'kube-proxy.json')
  writeFileSync(path, JSON.stringify(config))
  return ['kube-proxy', `--config=${path}`]
}
