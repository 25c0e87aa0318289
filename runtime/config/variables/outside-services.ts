/** Variables of the outside services that the processes of a cluster use. */
import { CLUSTER_PROCESSES, oneOf, text, withDefault } from './declare.ts'
import { S3_VARIABLES } from './s3.ts'
import { VAULT_VARIABLES } from './vault.ts'

const GOOGLE_CLOUD = {
  GOOGLE_APPLICATION_CREDENTIALS: text('path', {
    summary: 'JSON key file of a service account',
    about:
      'Read at the start; without it the metadata server gives the identity (workload identity)',
    readBy: CLUSTER_PROCESSES,
  }),
  GCS_BUCKET: text('bucket-name', {
    summary: 'bucket for documents, audit trails, receipts and logs',
    about: 'Not used with `S3_BUCKET` or `OBJECTS_FOLDER`',
    readBy: CLUSTER_PROCESSES,
    requiredBy: CLUSTER_PROCESSES,
  }),
  GCS_ENDPOINT: withDefault(
    text('endpoint', {
      summary: 'origin of Cloud Storage, also in the links that people get',
      readBy: CLUSTER_PROCESSES,
    }),
    'https://storage.googleapis.com',
  ),
  GCS_SIGNING_ENDPOINT: withDefault(
    text('endpoint', {
      summary: 'origin of the API that signs links without a key file',
      readBy: CLUSTER_PROCESSES,
    }),
    'https://iamcredentials.googleapis.com',
  ),
  PUBSUB_PUSH_AUDIENCE: text('text', {
    summary: 'audience of the tokens of the push subscription',
    about:
      'Without it there is no `POST /notifications/uploads`, and the controller looks for the ' +
      'upload of each new case every 30 seconds; with it, at growing intervals',
    readBy: ['api', 'controller'],
  }),
  PUBSUB_PUSH_ACCOUNT: text('email', {
    summary: 'e-mail address of the service account of the push subscription',
    about: 'Required with the audience',
    readBy: ['api'],
  }),
  PUBSUB_PUSH_ISSUER: withDefault(
    text('endpoint', { summary: 'issuer of those tokens', readBy: ['api'] }),
    'https://accounts.google.com',
  ),
}

const SIGNING_KEYS = {
  KMS_ISSUING_CA_KEY: text('key-version', {
    summary: "key version of Cloud KMS that issues participants' certificates",
    about: 'Not used with `VAULT_ADDR` or `SIGNING_KEYS_FOLDER`, like the other keys',
    readBy: ['worker'],
    requiredBy: ['worker'],
  }),
  KMS_SEAL_KEY: text('key-version', {
    summary: "key version of the service's seal",
    readBy: ['worker'],
    requiredBy: ['worker'],
  }),
  KMS_TSA_KEY: text('key-version', {
    summary: 'key version for time-stamps',
    about: 'Required without `TSA_URLS`',
    readBy: ['worker'],
  }),
  KMS_FORMER_ISSUING_CA_KEY: text('key-version', {
    summary: 'previous key version of the issuing CA',
    about: 'It signs only its revocation list',
    readBy: ['worker'],
  }),
  KMS_ROOT_KEY: text('key-version', {
    summary: 'key version of the root',
    about: 'Only `npm run kms-certificates` reads it',
    readBy: [],
  }),
  KMS_CERTIFICATES: text('path', {
    summary: 'folder with the output of `npm run kms-certificates`',
    about: 'Read again when it changes',
    readBy: ['worker'],
    requiredBy: ['worker'],
  }),
  KMS_ENDPOINT: withDefault(
    text('origin', { summary: 'origin of Cloud KMS', readBy: ['worker'] }),
    'https://cloudkms.googleapis.com',
  ),
}

const MAILING = ['api', 'worker'] as const

const MAIL = {
  SMTP_URL: text('smtp-url', {
    summary: 'mail server, such as smtps://mail.example.com',
    about:
      '`smtps` is TLS (port 465), `smtp` is STARTTLS, which is required (port 587), `smtp+plain` ' +
      'is without TLS, only for a server in the same network (port 25). Without user name and ' +
      'password. Not used with `MAIL_FOLDER`',
    readBy: MAILING,
    requiredBy: MAILING,
    // It may contain a password by mistake.
    isSecret: true,
  }),
  SMTP_USER: text('text', { summary: 'user name for the server', readBy: MAILING, isSecret: true }),
  SMTP_PASSWORD: text('text', {
    summary: 'password for the server',
    about: 'Refused with `smtp+plain`',
    readBy: MAILING,
    isSecret: true,
  }),
  SMTP_FROM: text('email', {
    summary: 'sender address of all mails',
    readBy: MAILING,
    requiredBy: MAILING,
  }),
  SMTP_CA_FILE: text('certificate-file', {
    summary: "authorities of the server's certificate, instead of the public ones",
    readBy: MAILING,
  }),
}

const CONSOLE = {
  CONSOLE_OIDC_ISSUER: text('literal-url', {
    summary: 'issuer of the OpenID Connect provider with which tenants sign in to `/console`',
    about:
      'Exactly as its tokens name it ' +
      '([How to use the console](../how-to/use-the-console-page.md)). ' +
      'Without it the console asks for a bearer token',
    readBy: ['api'],
  }),
  CONSOLE_OIDC_CLIENT_ID: text('text', {
    summary: 'client id of the console at that provider',
    about: 'A public client for the code flow with PKCE. Required with the issuer',
    readBy: ['api'],
  }),
  CONSOLE_OIDC_SCOPE: withDefault(
    text('text', { summary: 'scopes that the console requests', readBy: ['api'] }),
    'openid',
  ),
  CONSOLE_OIDC_TOKEN: withDefault(
    oneOf(['id_token', 'access_token'], {
      summary: "which of the provider's tokens the console sends to the API",
      about: 'Its audience and claims must match a `Tenant`',
      readBy: ['api'],
    }),
    'id_token',
  ),
  CONSOLE_OIDC_TOKEN_ORIGIN: text('origin', {
    summary: "origin of the provider's token endpoint",
    absent: 'the origin of the issuer',
    readBy: ['api'],
  }),
}

export const OUTSIDE_VARIABLES = {
  ...GOOGLE_CLOUD,
  ...S3_VARIABLES,
  ...SIGNING_KEYS,
  ...VAULT_VARIABLES,
  ...MAIL,
  ...CONSOLE,
}
