/** Reads server-sent events from the body of a response (HTML 9.2.6). */

export interface ServerEvent {
  /** `message` when the server gave none. */
  type: string
  data: string
}

/** The events of the service are shorter. */
const MAXIMUM_BLOCK_LENGTH = 1_000_000

/** @returns undefined for a comment, such as a heartbeat */
function eventOf(block: string): ServerEvent | undefined {
  const fields = block.split(/\r?\n/).map((line) => /^(event|data): ?(.*)$/.exec(line))
  const valuesOf = (name: string) =>
    fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []))
  const data = valuesOf('data')
  if (data.length === 0) return undefined
  return { type: valuesOf('event')[0] ?? 'message', data: data.join('\n') }
}

/**
 * Splits a stream into events.
 *
 * @param onBlock called for each block, heartbeats included
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onBlock: (event: ServerEvent | undefined) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = (await reader.read()) as ReadableStreamReadResult<string>
    if (done) return
    const blocks = (rest + value).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    if (rest.length > MAXIMUM_BLOCK_LENGTH) throw new Error('the block is too long')
    for (const block of blocks) onBlock(eventOf(block))
  }
}
