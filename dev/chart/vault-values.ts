/** The values of the chart about signing keys in Vault. */
import { stringEnum } from '../../domain/schema-parts.ts'
import {
  group,
  HTTP_URL_OR_NONE,
  listPassedOn,
  NAME_OR_NONE,
  secretKey,
  text,
} from './value-types.ts'

const PATH = '[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*'
const keyVersion = (description: string) =>
  text(`${description}, such as \`sigcase-seal:1\``, '', {
    pattern: '^([A-Za-z0-9][A-Za-z0-9_.-]{0,127}:[1-9][0-9]{0,5})?$',
  })

/** Signing keys in the transit engine of Vault, in place of Cloud KMS. */
export const vault = group('HashiCorp Vault or OpenBao; see docs/how-to/sign-with-vault.md', {
  address: text('Origin of the server; empty: keys are in Cloud KMS', '', HTTP_URL_OR_NONE),
  namespace: text('Namespace of all requests; empty: none', '', { pattern: `^(${PATH})?$` }),
  authoritiesConfigMapName: text(
    'ConfigMap with `ca.pem`: the private authority of the server',
    '',
    NAME_OR_NONE,
  ),
  serverAt: listPassedOn('Peers of a server inside the cluster; empty: all pods of the cluster'),
  transitMount: text('Path of the transit engine', 'transit', { pattern: `^${PATH}$` }),
  role: text('Role of the workers for the login with their service account', ''),
  authMount: text('Path of the authentication method `kubernetes`', 'kubernetes', {
    pattern: `^${PATH}$`,
  }),
  token: secretKey('Token of Vault, in place of `role`', 'token'),
  rsaPadding: stringEnum(['pkcs1', 'pss'], {
    description: 'Padding of signatures of RSA keys',
    default: 'pkcs1',
  }),
  keys: group('Key versions in Vault', {
    issuingCa: keyVersion('Key version that issues certificates of participants'),
    seal: keyVersion('Key version that seals documents and audit trails'),
    formerIssuingCa: keyVersion('Previous key version of the issuing CA'),
    timeStampAuthority: keyVersion('Key version for time-stamps, without `timeStamps.urls`'),
  }),
  certificatesConfigMapName: text(
    'ConfigMap with the certificates of the keys; required with `address`',
    '',
    NAME_OR_NONE,
  ),
})
