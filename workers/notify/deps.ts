/** What the job `notify` needs, and the mails between its steps. */
import type { ParticipantDefinition } from '../../domain/cases/definition.ts'
import type { DueMail } from '../../domain/cases/due-mails.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { WorkerDeps } from '../deps.ts'

export type NotifyDeps = Pick<
  WorkerDeps,
  | 'cases'
  | 'objects'
  | 'trail'
  | 'keyring'
  | 'alarm'
  | 'links'
  | 'mailer'
  | 'ephemeral'
  | 'bounds'
  | 'branding'
  | 'baseUrl'
  | 'now'
  | 'log'
>

/** A mail that is due. */
export interface DueNow {
  signatureCase: SignatureCase
  mail: DueMail
  participant: ParticipantDefinition
}

/** What the mail server answered when it refused a mail permanently. */
export interface MailRefusal {
  /** Reply code of SMTP, where there was one. */
  answer?: number
}

/** A mail that was sent, or refused permanently. */
export interface SentMail extends DueNow {
  sentAt: string
  refusal: MailRefusal | undefined
}
