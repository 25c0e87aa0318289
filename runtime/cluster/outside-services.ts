/** Opens the services outside the cluster (bucket, mail), or folders that replace them. */
import { FileMailer } from '../../adapters/embedded/mailer.ts'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import { GcsObjectStore } from '../../adapters/gcs/object-store.ts'
import { openS3 } from './s3.ts'
import { googleAuth } from '../../adapters/shared/google-auth.ts'
import type { S3ObjectStore } from '../../adapters/s3/object-store.ts'
import { SmtpMailer } from '../../adapters/smtp/mailer.ts'
import type { ClusterConfig, MailConfig } from '../config/processes.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { Mailer } from '../../domain/ports/mailer.ts'

/** Opens the object store; the API itself serves a store of files. */
export function openObjects(
  { baseUrl, google, objects }: ClusterConfig,
  keyring: Keyring<'object-url'>,
  now: () => Date,
): FileObjectStore | GcsObjectStore | S3ObjectStore {
  if ('folder' in objects) return new FileObjectStore({ ...objects, baseUrl, keyring })
  if ('region' in objects) return openS3(objects, { now })
  return new GcsObjectStore({ ...objects, auth: googleAuth(google), now })
}

/** Opens the mailer: SMTP, or `.eml` files in a folder. */
export function openMailer(mail: MailConfig): Mailer & Pick<SmtpMailer, 'ping'> {
  return 'folder' in mail ? new FileMailer(mail.folder) : new SmtpMailer(mail)
}
