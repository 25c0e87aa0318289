/** Uploads a PDF to a presigned URL, and reports how much of it was sent. */
import { SigcaseError } from './errors.ts'
import type { CallOptions, Transport } from './transport.ts'

/** Time for one upload or download of at most 25 MB. */
export const TRANSFER_TIMEOUT_MS = 10 * 60 * 1000
const CHUNK_BYTES = 64 * 1024
const PDF_HEADERS = { 'content-type': 'application/pdf' }

/** A PDF; `Blob` includes the `File` of a browser. */
export type Pdf = Uint8Array | ArrayBuffer | Blob

export interface UploadProgress {
  sentBytes: number
  totalBytes: number
}

export interface UploadOptions extends CallOptions {
  /** Called while the document is sent; a new attempt begins at 0 again. */
  onProgress?: (progress: UploadProgress) => void
}

export interface UploadTarget {
  url: string
  /** Headers that the URL is valid for; `Content-Type: application/pdf` by default. */
  headers?: Readonly<Record<string, string>>
}

/** @param pdf in any of its forms */
export function toBlob(pdf: Pdf): Blob {
  return pdf instanceof Blob ? pdf : new Blob([pdf as BlobPart])
}

/** Streams a document in pieces. */
function streamOf(blob: Blob, onProgress: (progress: UploadProgress) => void): ReadableStream {
  let sentBytes = 0
  return new ReadableStream({
    async pull(controller) {
      const piece = blob.slice(sentBytes, sentBytes + CHUNK_BYTES)
      if (piece.size === 0) return controller.close()
      controller.enqueue(new Uint8Array(await piece.arrayBuffer()))
      sentBytes += piece.size
      onProgress({ sentBytes, totalBytes: blob.size })
    },
  })
}

/** Browsers stream bodies only over HTTP/2: there an XMLHttpRequest reports the progress. */
function putInBrowser(
  { url, headers = PDF_HEADERS }: UploadTarget,
  blob: Blob,
  { onProgress, signal }: UploadOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (status: number) => {
      const code = status === 0 ? 'NETWORK' : `HTTP_${status}`
      reject(new SigcaseError(code, `upload: ${code}`, { status }))
    }
    request.open('PUT', url)
    request.timeout = TRANSFER_TIMEOUT_MS
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) =>
      onProgress?.({ sentBytes: loaded, totalBytes: blob.size }),
    )
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else fail(request.status)
    })
    request.addEventListener('error', () => fail(0))
    request.addEventListener('timeout', () => fail(0))
    request.addEventListener('abort', () => reject(signal?.reason as Error))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(blob)
  })
}

/**
 * Uploads a PDF with `PUT`. A repeated upload replaces the document, so a failed one is repeated.
 *
 * @throws SigcaseError; `HTTP_403` when the URL has expired
 */
export async function putDocument(
  transport: Transport,
  target: UploadTarget,
  pdf: Pdf,
  options: UploadOptions = {},
): Promise<void> {
  const blob = toBlob(pdf)
  const { onProgress, signal } = options
  if (onProgress && typeof XMLHttpRequest === 'function') {
    return putInBrowser(target, blob, options)
  }
  await transport.send('PUT', target.url, {
    headers: {
      ...(target.headers ?? PDF_HEADERS),
      ...(onProgress ? { 'content-length': String(blob.size) } : {}),
    },
    body: () => (onProgress ? streamOf(blob, onProgress) : blob),
    timeoutMs: TRANSFER_TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  })
}
