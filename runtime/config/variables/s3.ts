/** Variables of an S3-compatible object store. */
import { CLUSTER_PROCESSES, oneOf, text, withDefault } from './declare.ts'

const readBy = CLUSTER_PROCESSES

export const S3_VARIABLES = {
  S3_BUCKET: text('bucket-name', {
    summary: 'bucket of an S3-compatible store, instead of `GCS_BUCKET`',
    about:
      'The store must support conditional writes ' +
      '([How to install on any Kubernetes](../how-to/install-on-any-kubernetes.md))',
    readBy,
  }),
  S3_REGION: withDefault(
    text('text', { summary: 'region of the bucket, which signatures contain', readBy }),
    'us-east-1',
  ),
  S3_ENDPOINT: text('origin', {
    summary: 'origin of the store, as the pods reach it',
    absent: '`https://s3.<region>.amazonaws.com`',
    readBy,
  }),
  S3_PUBLIC_ENDPOINT: text('origin', {
    summary: 'origin of the store in the links that people get',
    absent: 'the value of `S3_ENDPOINT`',
    readBy,
  }),
  S3_ADDRESSING: withDefault(
    oneOf(['path', 'host'], {
      summary: 'whether URLs name the bucket in their path or in their host',
      readBy,
    }),
    'path',
  ),
  S3_CA_FILE: text('certificate-file', {
    summary: "authorities of the store's certificate, instead of the public ones",
    readBy,
  }),
  AWS_SHARED_CREDENTIALS_FILE: text('path', {
    summary: 'credentials file of the AWS tools, with a section `[default]`',
    about: 'Read again when it changes. Takes precedence over the two variables of the role',
    readBy,
  }),
  AWS_WEB_IDENTITY_TOKEN_FILE: text('path', {
    summary: "token of the pod's service account, which is exchanged for temporary credentials",
    about: 'Required with `S3_BUCKET` when there is no credentials file',
    readBy,
  }),
  AWS_ROLE_ARN: text('text', {
    summary: 'role that the token is exchanged for',
    about: 'Required with the token',
    readBy,
  }),
  S3_STS_ENDPOINT: text('origin', {
    summary: 'origin of the Security Token Service, which exchanges the token',
    absent: '`https://sts.<region>.amazonaws.com`',
    readBy,
  }),
}
