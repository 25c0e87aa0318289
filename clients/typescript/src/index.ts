/** Client of sigcase: electronic-signature cases, kiosks, webhooks and verification. */
export {
  SigcaseClient,
  type CreateOptions,
  type DocumentKind,
  type ReportForm,
  type WaitOptions,
} from './client.ts'
export { SigcaseError, type ClientErrorCode } from './errors.ts'
export {
  listenKiosk,
  pairKiosk,
  type KioskEvent,
  type KioskOptions,
  type PairedKiosk,
} from './kiosk.ts'
export type { PageOptions } from './pages.ts'
export { ParticipantClient, type ParticipantOptions } from './participant.ts'
export type { CallOptions, ClientOptions } from './transport.ts'
export { API_VERSION } from './types.ts'
export type * from './types.ts'
export type { Pdf, UploadOptions, UploadProgress } from './upload.ts'
export { readWebhook, verifyWebhook, type WebhookEvent, type WebhookToVerify } from './webhook.ts'
