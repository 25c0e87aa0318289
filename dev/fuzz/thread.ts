/** Makes mutated PDFs and parses them, one after the other. */
import { Buffer } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { inspect, PadesError, validateSignatures } from '../../pades/index.ts'
import { assertOneJudgement } from './one-judgement.ts'
import { CORPUS } from '../../test/fixtures/corpus.ts'
import { mutated, randomFrom, type Random } from '../../test/fixtures/mutations.ts'
import { buildPdf, type FileStructure } from '../../test/fixtures/pdf.ts'
import { OPTIONS, signSample } from '../../test/pades/validate/sample.ts'
import type { Progress } from './run.ts'

const STRUCTURES: readonly FileStructure[] = [
  ...(['table', 'stream', 'object-streams', 'hybrid', 'linearized'] as const),
]
const MAXIMUM_CHANGES = 8
/** CPU time of this thread for one document, which other programs on the machine do not change. */
const CPU_LIMIT_MS = 3_000
const MICROSECONDS_PER_MILLISECOND = 1_000
/** Larger ones would be most of the time spent. */
const MAXIMUM_SEED_BYTES = 400_000
/** Values that make parsers count, recurse and allocate. */
const WORDS = [
  ...['/Prev 0', '/Prev 9', '/Size 99999999', '/Length 999999999', '/Count -1', '/W [1 8 8]'],
  ...['/Kids [1 0 R]', '/Index [0 99999999]', '<<'.repeat(200), '['.repeat(200), '1 0 R', '0 0 R'],
  ...['/ByteRange [0 1 2 3]', '/Filter [/FlateDecode /FlateDecode]', 'endobj', 'stream', '%%EOF'],
  ...['/Predictor 12 /Columns 999999999', 'xref\n0 999999999\n', 'startxref\n0\n', '/V 1 0 R'],
]

const folder = join(CORPUS, 'pdf-validation')

/** Files of others, when they are there. */
function corpus(): Buffer[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.pdf'))
      .map((name) => readFileSync(join(folder, name)))
      .filter(({ length }) => length <= MAXIMUM_SEED_BYTES)
  } catch {
    return []
  }
}

async function seeds(): Promise<Buffer[]> {
  const own = STRUCTURES.map((structure) => buildPdf({ structure }))
  const signed = await Promise.all(own.map((pdf) => signSample(pdf)))
  return [...own, ...signed, ...corpus()]
}

/** Inserts a word at a random position, or overwrites bytes with it. */
function spoiled(file: Buffer, random: Random): Buffer {
  const at = random(file.length)
  const word = Buffer.from(WORDS[random(WORDS.length)] as string)
  return Buffer.concat([file.subarray(0, at), word, file.subarray(at + random(2) * word.length)])
}

const HEX_DIGITS = '0123456789abcdef'
const isHexDigit = (octet: number | undefined) =>
  octet !== undefined && HEX_DIGITS.includes(String.fromCharCode(octet))

/** Changes a digit of a hexadecimal string, such as the ASN.1 of signatures. */
function misspelt(file: Buffer, random: Random): Buffer {
  const at = random(file.length)
  if (!isHexDigit(file[at]) || !isHexDigit(file[at + 1])) return file
  const bytes = Buffer.from(file)
  bytes.write(HEX_DIGITS[random(HEX_DIGITS.length)] as string, at, 'latin1')
  return bytes
}

const WAYS = [spoiled, misspelt, misspelt] as const

/** Makes a document, which depends only on the seed and its number. */
function documentOf(all: readonly Buffer[], round: number, seed: number): Buffer {
  const random = randomFrom(1 + ((seed + round * 7_919) % 2_147_483_645))
  let file = all[random(all.length)] as Buffer
  for (let left = 1 + random(MAXIMUM_CHANGES); left > 0; left--) {
    const way = WAYS[random(WAYS.length + 1)]
    file = way ? way(file, random) : mutated(file, random(4), random).bytes
    if (file.length === 0) return file
  }
  return file
}

async function attempt(read: () => unknown): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (error instanceof PadesError) return
    send({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

const send = (progress: Progress) => parentPort?.postMessage(progress)

const { first, end, seed } = workerData as { first: number; end: number; seed: number }
const all = await seeds()
for (let round = first; round < end; round++) {
  send({ round })
  const before = process.threadCpuUsage()
  const file = documentOf(all, round, seed)
  await attempt(() => inspect(file))
  await attempt(async () => assertOneJudgement(await validateSignatures(file, OPTIONS)))
  const { user, system } = process.threadCpuUsage(before)
  const usedMs = Math.round((user + system) / MICROSECONDS_PER_MILLISECOND)
  if (usedMs > CPU_LIMIT_MS) send({ fault: `took ${usedMs} ms of CPU time` })
}
send({ done: true })
