/** The values of the chart about an S3-compatible object store. */
import { stringEnum } from '../../domain/schema-parts.ts'
import {
  group,
  HTTP_URL_OR_NONE,
  listPassedOn,
  NAME_OR_NONE,
  secretKey,
  text,
} from './value-types.ts'

const CREDENTIALS_KEY = 'credentials'
const role = (component: string) => text(`Role of the ${component}; empty: none`, '')

/** An S3-compatible store in place of Cloud Storage. */
export const s3 = group(
  'S3-compatible object store; see docs/how-to/install-on-any-kubernetes.md',
  {
    bucket: text('Bucket, in place of `googleCloud.bucket`', '', {
      pattern: '^([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])?$',
    }),
    region: text('Region of the bucket', 'us-east-1', { minLength: 1 }),
    endpoint: text('Origin of the store; empty: Amazon S3 in the region', '', HTTP_URL_OR_NONE),
    publicEndpoint: text(
      'Origin of the store in the links that people get; empty: `endpoint`',
      '',
      HTTP_URL_OR_NONE,
    ),
    storeAt: listPassedOn('Peers of a store inside the cluster; empty: all pods of the cluster'),
    addressing: stringEnum(['path', 'host'], {
      description: 'Whether URLs name the bucket in their path or in their host',
      default: 'path',
    }),
    authoritiesConfigMapName: text(
      'ConfigMap with `ca.pem`: the private authority of the store',
      '',
      NAME_OR_NONE,
    ),
    credentials: group('Credentials files of the AWS tools, with a section `[default]`', {
      api: secretKey('Credentials of the API', CREDENTIALS_KEY),
      controller: secretKey('Credentials of the controller', CREDENTIALS_KEY),
      worker: secretKey('Credentials of the workers', CREDENTIALS_KEY),
    }),
    webIdentity: group('Tokens of the pods that are exchanged for temporary credentials', {
      roles: group('Roles, in place of credentials files', {
        api: role('API'),
        controller: role('controller'),
        worker: role('workers'),
      }),
      audience: text('Audience of the tokens', 'sts.amazonaws.com', { minLength: 1 }),
      endpoint: text(
        'Origin of the Security Token Service; empty: that of Amazon in the region',
        '',
        HTTP_URL_OR_NONE,
      ),
    }),
  },
)
