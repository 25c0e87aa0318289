/** Variables of the processes of a cluster, about the cluster itself. */
import { SHARDS } from '../../../domain/cases/shards.ts'
import { CLUSTER_PROCESSES, integer, port, text, withDefault } from './declare.ts'
import { PKCS11_VARIABLES } from './pkcs11.ts'

export const CLUSTER_VARIABLES = {
  REDIS_URL: text('redis-url', {
    summary: 'a redis or rediss URL of one server',
    about:
      'It may hold a password, so keep it in a Secret. Redis Sentinel and Redis Cluster are not ' +
      'supported (decision 183)',
    readBy: CLUSTER_PROCESSES,
    requiredBy: CLUSTER_PROCESSES,
    isSecret: true,
  }),
  REDIS_PREFIX: withDefault(
    text('redis-prefix', {
      summary: 'prefix of every key, so that services can share one Redis',
      readBy: CLUSTER_PROCESSES,
    }),
    'sigcase',
  ),
  REDIS_CA_FILE: text('certificate-file', {
    summary: "authorities of a `rediss://` server's certificate, instead of the public ones",
    readBy: CLUSTER_PROCESSES,
  }),
  INDEX_URL: text('postgres-url', {
    summary: 'URL of the PostgreSQL database with the index of cases',
    about:
      'It may hold a password, so keep it in a Secret. Connections use TLS unless it has ' +
      '`?sslmode=disable`. Without it, listings read the Kubernetes API and cannot be sorted ' +
      '([How to index cases](../how-to/index-cases.md))',
    readBy: ['api', 'controller'],
    isSecret: true,
  }),
  INDEX_CA_FILE: text('certificate-file', {
    summary: "authorities of the database's certificate, instead of the public ones",
    readBy: ['api', 'controller'],
  }),
  KEYRING_FOLDER: text('existing-path', {
    summary: 'folder with one JWK Set for each key set that the process needs',
    about: '[How to rotate keys](../how-to/rotate-keys.md)',
    readBy: CLUSTER_PROCESSES,
    requiredBy: CLUSTER_PROCESSES,
  }),
  OPERATIONS_PORT: withDefault(
    port({
      summary: 'port of health, readiness and metrics of the process',
      readBy: CLUSTER_PROCESSES,
    }),
    9090,
  ),
  KUBECONFIG: text('path', {
    summary: 'path of a kubeconfig',
    about: 'Without it the process uses the service account of its pod',
    readBy: CLUSTER_PROCESSES,
  }),
  POD_NAMESPACE: text('namespace', {
    summary: 'namespace of the service itself',
    readBy: ['controller'],
    requiredBy: ['controller'],
  }),
  POD_NAME: text('pod-name', {
    summary: 'name of this replica in the leases and in logs',
    readBy: ['controller'],
    requiredBy: ['controller'],
  }),
  CONTROLLER_SHARD_GROUPS: withDefault(
    integer('number of groups', 1, SHARDS, {
      summary: 'number of groups of shards that the replicas share, each with a Lease',
      about:
        'With 1, one replica works on all cases and the others wait. All replicas need the same ' +
        'number ([How to share the cases among controllers]' +
        '(../how-to/share-cases-among-controllers.md))',
      readBy: ['controller'],
    }),
    1,
  ),
  READER_SOCKET: text('path', {
    summary: 'path of the socket of the reader, which parses documents for workers',
    about:
      'A worker on Deno requires it too. Without it a worker on Node starts the sandbox itself',
    readBy: ['worker', 'reader'],
    requiredBy: ['reader'],
  }),
  ...PKCS11_VARIABLES,
  OBJECTS_FOLDER: text('path', {
    summary: 'a folder instead of the bucket, for a trial on one machine',
    readBy: CLUSTER_PROCESSES,
  }),
  MAIL_FOLDER: text('path', {
    summary: 'a folder of `.eml` files instead of the mail server, for a trial on one machine',
    readBy: ['api', 'worker'],
  }),
  SIGNING_KEYS_FOLDER: text('path', {
    summary: 'a folder of keys instead of Cloud KMS, for a trial on one machine',
    readBy: ['worker'],
  }),
}
