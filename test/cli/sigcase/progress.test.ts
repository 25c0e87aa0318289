import type process from 'node:process'
import t from 'tap'
import { trackCases, trackUpload } from '../../../cli/sigcase/progress.ts'

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

function drawItems(
  { isTTY = true, isForProgram = false },
  steps: readonly [done: number, total?: number][],
): string {
  const drawn: string[] = []
  const stream = { isTTY, write: (text: string) => drawn.push(text) > 0 }
  const progress = trackCases(isForProgram, stream as unknown as typeof process.stderr)
  for (const [done, total] of steps) progress.show(done, total)
  progress.end()
  return drawn.join('')
}

t.test('items fill a bar when their total is known, and are counted otherwise', async (t) => {
  const [half, full] = [
    `\r[${'#'.repeat(15)}${'.'.repeat(15)}] 50 %`,
    `\r[${'#'.repeat(30)}] 100 %\n`,
  ]
  t.equal(
    drawItems({}, [
      [1, 2],
      [2, 2],
    ]),
    half + full,
  )
  t.equal(drawItems({}, [[1, 2]]), `${half}\n`, 'a command that fails leaves no half line')
  t.equal(drawItems({}, [[500], [700]]), '\r500 cases\r700 cases\n')
  t.equal(drawItems({}, [[3, 2]]), full, 'the total was an estimate')
  t.equal(drawItems({}, [[0, 0]]), '', 'nothing to do')
})

t.test('no progress of items in a log, or beside a result for a program', async (t) => {
  t.equal(drawItems({ isTTY: false }, [[1, 2], [3]]), '')
  t.equal(drawItems({ isForProgram: true }, [[1, 2], [3]]), '')
})
