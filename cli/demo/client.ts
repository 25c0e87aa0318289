/** HTTP client of the demo; every wait has a limit. */

const REQUEST_LIMIT_MS = 60_000
const HEALTH_LIMIT_MS = 2_000
/** Signing answers 503 until the first canary has passed. */
const RETRY_LIMIT_MS = 90_000
const POLL_INTERVAL_MS = 250

/** The service refused a request or answered unexpectedly; the message is for users. */
export class DemoError extends Error {
  override readonly name = 'DemoError'
  /** Status of the refusing response. */
  readonly status: number | undefined

  constructor(message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options)
    this.status = options.status
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_LIMIT_MS) })
  } catch (cause) {
    const { host } = new URL(url)
    throw new DemoError(`${host} did not answer`, { cause })
  }
}

async function refusal(what: string, response: Response): Promise<DemoError> {
  const text = (await response.text()).slice(0, 1000)
  return new DemoError(`${what}: ${response.status} ${text}`, { status: response.status })
}

/** Whether a service answers at the URL. */
export async function isHealthy(baseUrl: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_LIMIT_MS)
    const response = await fetch(`${baseUrl}/healthz`, { signal })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/**
 * Sends a JSON request; retries a 503 for a limited time.
 *
 * @param what name of the step, for the error message
 * @throws DemoError
 */
export async function request<T>(
  what: string,
  url: string,
  options: { token: string; method?: string; body?: unknown },
): Promise<T> {
  const { token, method = 'GET', body } = options
  const giveUpAt = performance.now() + RETRY_LIMIT_MS
  for (;;) {
    const response = await send(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.ok) {
      const text = await response.text()
      return (text === '' ? undefined : JSON.parse(text)) as T
    }
    if (response.status !== 503 || performance.now() > giveUpAt) throw await refusal(what, response)
    await response.body?.cancel()
    await pause(POLL_INTERVAL_MS)
  }
}

/** Uploads the PDF to the presigned URL. @throws DemoError */
export async function upload(url: string, pdf: Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = { 'content-type': 'application/pdf' }
  const response = await send(url, { method: 'PUT', headers, body: pdf })
  if (!response.ok) throw await refusal('uploading', response)
  await response.body?.cancel()
}

/** @throws DemoError */
export async function download(url: string): Promise<Uint8Array> {
  const response = await send(url, {})
  if (!response.ok) throw await refusal('downloading', response)
  return new Uint8Array(await response.arrayBuffer())
}

/**
 * Polls until the response meets the condition.
 *
 * @throws DemoError when `limitMs` have passed
 */
export async function waitFor<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T>,
  isWanted: (answer: T) => boolean,
): Promise<T> {
  const giveUpAt = performance.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    if (performance.now() > giveUpAt) {
      throw new DemoError(`${what}: not within ${limitMs / 1000} seconds`)
    }
    await pause(POLL_INTERVAL_MS)
  }
}
