import t from 'tap'
import { readEvents, type ServerEvent } from '../../../web/console/event-blocks.ts'

/** Reads a body that arrives in the given pieces. */
async function read(...pieces: string[]): Promise<(ServerEvent | undefined)[]> {
  const seen: (ServerEvent | undefined)[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
  await readEvents(body, (event) => seen.push(event))
  return seen
}

t.test('events are read, however the body is cut', async (t) => {
  const next = { type: 'next', data: '{"a":1}' }
  const text = ':\n\nevent: next\ndata: {"a":1}\n\nevent: complete\ndata: \n\n'
  const expected = [undefined, next, { type: 'complete', data: '' }]
  t.same(await read(text), expected)
  t.same(await read(...text), expected, 'byte by byte')
  t.same(await read(text.replaceAll('\n', '\r\n')), expected)
  t.same(await read('data: a\ndata: b\n\n'), [{ type: 'message', data: 'a\nb' }])
  t.same(await read('event: next\ndata: x'), [], 'an event that is not whole is left out')
})

t.test('a block without an end is refused', async (t) => {
  await t.rejects(read('x'.repeat(1_000_001)), /too long/)
})
