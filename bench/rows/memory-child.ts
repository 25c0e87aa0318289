/**
 * Signs a small file to warm up, then a large one, and prints the increase of peak memory.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { signDocument } from '../../pades/index.ts'
import { peakMemoryBytes } from '../peak-memory.ts'
import { people, requestFor } from '../signing.ts'
import { findInvalidity } from '../validity.ts'

const WARM_UP_SIGNINGS = 20

const [, , folder = ''] = process.argv
const signers = await people(4)
const sign = async (name: string) => {
  return (await signDocument(readFileSync(join(folder, name)), requestFor(signers, true))).bytes
}
for (let count = 0; count < WARM_UP_SIGNINGS; count++) await sign('small.pdf')
const beforeBytes = process.memoryUsage.rss()
const signed = await sign('large.pdf')
const riseBytes = peakMemoryBytes() - beforeBytes
const fault = await findInvalidity(signed, signers.length + 1)
console.log(JSON.stringify({ riseBytes, ...(fault === undefined ? {} : { fault }) }))
