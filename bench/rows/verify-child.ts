/** Validates every PDF of a corpus, and reports the slowest file and the peak memory. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { validateSignatures } from '../../pades/index.ts'
import { peakMemoryBytes } from '../peak-memory.ts'
import type { Worst } from './verify.ts'

const [, , corpus = ''] = process.argv
const files = globSync('**/*.pdf', { cwd: corpus }).sort()
let worst = { file: 'none', elapsedMs: 0 }
for (const file of files) {
  const bytes = new Uint8Array(readFileSync(join(corpus, file)))
  const startedMs = performance.now()
  // The time of a refused file counts too.
  await validateSignatures(bytes, {
    trustAnchors: [],
    validationTime: new Date('2026-06-01T00:00:00Z'),
  }).catch(() => undefined)
  const elapsedMs = performance.now() - startedMs
  if (elapsedMs > worst.elapsedMs) worst = { file: basename(file), elapsedMs }
}
const maximumRssBytes = peakMemoryBytes()
const report: Worst = { ...worst, maximumRssBytes, files: files.length }
process.stdout.write(JSON.stringify(report))
