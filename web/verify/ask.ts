/** Uploads a PDF and has it verified (specification 4.12, 4.13). */
import type { VerificationUploadAnswer } from '../../domain/contract/answers.ts'
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import type { ErrorCode } from '../../domain/errors.ts'

/** Limit of the contract (specification 8). */
const MAXIMUM_FILE_BYTES = 25 * 1024 * 1024
/** The service answers within half a minute, or not at all. */
const ANSWER_LIMIT_MS = 45_000
/** A large file on a slow line. */
const UPLOAD_LIMIT_MS = 10 * 60 * 1_000

export type FaultKind =
  'tooLarge' | 'notAPdf' | 'unreadable' | 'gone' | 'limited' | 'offline' | 'unavailable'

/** Why there is no report. */
export class VerificationFault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind) {
    super(kind)
    this.kind = kind
  }
}

const BY_CODE: Partial<Record<ErrorCode, FaultKind>> = {
  DOCUMENT_TOO_LARGE: 'tooLarge',
  NOT_A_PDF: 'notAPdf',
  UNREADABLE_DOCUMENT: 'unreadable',
}
const JSON_TYPE = 'application/json'
const PDF_TYPE = 'application/pdf'
const TOO_MANY_REQUESTS = 429
const CONTENT_TOO_LARGE = 413

export interface Asked {
  file: File
  /** @param part of the file that is uploaded, 0 to 1 */
  onProgress(part: number): void
  signal: AbortSignal
}

function kindOf(status: number, code?: ErrorCode): FaultKind {
  if (status === TOO_MANY_REQUESTS) return 'limited'
  if (status === CONTENT_TOO_LARGE) return 'tooLarge'
  return (code && BY_CODE[code]) ?? 'unavailable'
}

const offline = () => {
  throw new VerificationFault('offline')
}

/** Posts JSON. @throws VerificationFault when the service refuses or cannot be reached */
async function post(
  path: string,
  signal: AbortSignal,
  body: object,
  accept: string,
): Promise<Response> {
  const response = await fetch(path, {
    method: 'POST',
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
    headers: { 'content-type': JSON_TYPE, accept },
    body: JSON.stringify(body),
  }).catch(offline)
  if (response.ok) return response
  const { code } = (await response.json().catch(() => ({}))) as { code?: ErrorCode }
  throw new VerificationFault(kindOf(response.status, code))
}

async function ask<T>(path: string, signal: AbortSignal, body: object): Promise<T> {
  const response = await post(path, signal, body, JSON_TYPE)
  return (await response.json().catch(offline)) as T
}

/** `fetch` does not say how much has been sent. */
function put(
  { url, headers }: VerificationUploadAnswer['upload'],
  { file, onProgress, signal }: Asked,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = new XMLHttpRequest()
  const fail = (kind: FaultKind) => () => reject(new VerificationFault(kind))
  request.open('PUT', url)
  request.timeout = UPLOAD_LIMIT_MS
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
  request.onerror = request.ontimeout = request.onabort = fail('offline')
  request.onload = () => {
    if (request.status < 300) resolve()
    else fail(kindOf(request.status))()
  }
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.send(file)
  return promise
}

/** A folder, or a file that was moved since it was chosen, cannot be sent. */
async function assertReadable(file: File): Promise<void> {
  if (file.size > MAXIMUM_FILE_BYTES) throw new VerificationFault('tooLarge')
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new VerificationFault('gone')
    })
}

/** Uploads a file. @returns its key */
async function upload(asked: Asked): Promise<string> {
  await assertReadable(asked.file)
  const answer = await ask<VerificationUploadAnswer>('/verify/uploads', asked.signal, {
    // An empty file is uploaded as well: that it is not a PDF is said by the service.
    size: Math.max(asked.file.size, 1),
  })
  await put(answer.upload, asked)
  asked.onProgress(1)
  return answer.key
}

/**
 * The report on a file, which the service forgets afterwards.
 *
 * @throws VerificationFault
 */
export async function verifyFile(asked: Asked): Promise<ValidationReport> {
  const key = await upload(asked)
  return ask<ValidationReport>('/verify', asked.signal, { key })
}

/**
 * The report on a file as a PDF. The service verifies the file anew for it, and forgets it again.
 *
 * @throws VerificationFault
 */
export async function fetchReportPdf(asked: Asked): Promise<Blob> {
  const key = await upload(asked)
  const response = await post('/verify', asked.signal, { key }, PDF_TYPE)
  return response.blob().catch(offline)
}
