/** Variables of signing keys in the transit engine of Vault, for workers. */
import { oneOf, text, withDefault } from './declare.ts'

const readBy = ['worker'] as const
const keyVersion = (summary: string, about?: string) =>
  text('vault-key', { summary, ...(about === undefined ? {} : { about }), readBy })

export const VAULT_VARIABLES = {
  VAULT_ADDR: text('origin', {
    summary: 'origin of HashiCorp Vault or OpenBao, which signs in place of Cloud KMS',
    about:
      'With it, `VAULT_ISSUING_CA_KEY` and `VAULT_SEAL_KEY` are required, and ' +
      '`KMS_CERTIFICATES` is the folder of their certificates ' +
      '([How to sign with Vault](../how-to/sign-with-vault.md))',
    readBy,
  }),
  VAULT_NAMESPACE: text('vault-path', { summary: 'namespace of all requests', readBy }),
  VAULT_CA_FILE: text('certificate-file', {
    summary: "authorities of Vault's certificate, instead of the public ones",
    readBy,
  }),
  VAULT_TRANSIT_MOUNT: withDefault(
    text('vault-path', { summary: 'path of the transit engine', readBy }),
    'transit',
  ),
  VAULT_ROLE: text('text', {
    summary: "role of the login with the token of the pod's service account",
    about: 'Required without `VAULT_TOKEN_FILE`',
    readBy,
  }),
  VAULT_AUTH_MOUNT: withDefault(
    text('vault-path', { summary: 'path of the authentication method `kubernetes`', readBy }),
    'kubernetes',
  ),
  VAULT_JWT_FILE: withDefault(
    text('path', { summary: "token of the pod's service account", readBy }),
    '/var/run/secrets/kubernetes.io/serviceaccount/token',
  ),
  VAULT_TOKEN_FILE: text('path', {
    summary: 'file with a token of Vault, in place of a login',
    about:
      'Renewed if the token is renewable, and read again then. The process `pkcs11` expects its ' +
      'callers to send it',
    readBy: ['worker', 'pkcs11'],
    requiredBy: ['pkcs11'],
  }),
  VAULT_RSA_PADDING: withDefault(
    oneOf(['pkcs1', 'pss'], { summary: 'padding of signatures of RSA keys', readBy }),
    'pkcs1',
  ),
  VAULT_ISSUING_CA_KEY: keyVersion(
    "key version that issues participants' certificates",
    'Such as `sigcase-issuing-ca:1`',
  ),
  VAULT_SEAL_KEY: keyVersion("key version of the service's seal"),
  VAULT_TSA_KEY: keyVersion('key version for time-stamps', 'Required without `TSA_URLS`'),
  VAULT_FORMER_ISSUING_CA_KEY: keyVersion(
    'previous key version of the issuing CA',
    'It signs only its revocation list',
  ),
}
