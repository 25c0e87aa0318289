import type process from 'node:process'
import t from 'tap'
import { trackUpload } from '../../../cli/sigcase/progress.ts'

function draw(isTTY: boolean, steps: readonly [sentBytes: number, totalBytes: number][]): string {
  const drawn: string[] = []
  const stream = { isTTY, write: (text: string) => drawn.push(text) }
  const { onProgress } = trackUpload(stream as unknown as typeof process.stderr)
  for (const [sentBytes, totalBytes] of steps) onProgress?.({ sentBytes, totalBytes })
  return drawn.join('')
}

t.test('the bar of a large upload fills on a terminal', async (t) => {
  t.equal(
    draw(true, [
      [0, 2_000_000],
      [1_000_000, 2_000_000],
      [2_000_000, 2_000_000],
    ]),
    `\r[${'.'.repeat(30)}] 0 %` +
      `\r[${'#'.repeat(15)}${'.'.repeat(15)}] 50 %` +
      `\r[${'#'.repeat(30)}] 100 %\n`,
  )
})

t.test('nothing is drawn of a small upload, or in a log', async (t) => {
  t.equal(draw(true, [[9, 9]]), '')
  t.equal(draw(false, [[2_000_000, 2_000_000]]), '')
})
