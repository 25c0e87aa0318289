/** Runs intake and finalising with damaged PDFs and checks that they agree. */
import type { Buffer } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORPUS } from '../../test/fixtures/corpus.ts'
import { withHostileRevision } from '../../test/fixtures/hostile-revisions.ts'
import { mutated, randomFrom } from '../../test/fixtures/mutations.ts'
import { buildPdf, FIRST_EXTRA, type FileStructure } from '../../test/fixtures/pdf.ts'
import { longTerm, publishedStamp } from '../../test/fixtures/pki.ts'
import { signingVerdicts, type SigningVerdicts } from '../../test/fixtures/rehearsed.ts'
import { signSample } from '../../test/pades/validate/sample.ts'

const STRUCTURES: readonly FileStructure[] = [
  ...(['table', 'stream', 'object-streams', 'hybrid', 'linearized'] as const),
]
/** Larger ones would be most of the time spent. */
const MAXIMUM_SEED_BYTES = 150_000
const FOLDERS = ['documents', 'pdf-validation']

/** Files of others, when they are there. */
export function filesOfOthers(): { name: string; bytes: Buffer }[] {
  try {
    return FOLDERS.flatMap((folder) =>
      readdirSync(join(CORPUS, folder))
        .filter((name) => name.endsWith('.pdf'))
        .map((name) => ({
          name: join(folder, name),
          bytes: readFileSync(join(CORPUS, folder, name)),
        })),
    )
  } catch {
    return []
  }
}

/** A form of three pages in every structure, and the same when people have signed it. */
async function ownFiles(): Promise<Buffer[]> {
  const form = `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] >>`
  const objects = ['<< /T (a) /FT /Tx /Rect [0 0 9 9] >>']
  const plain = STRUCTURES.map((structure) =>
    buildPdf({ structure, pages: [{}, {}, {}], catalog: form, objects }),
  )
  const timeStamp = (digest: Uint8Array) => publishedStamp(digest)
  const signed = plain.map((pdf) => signSample(pdf, { timeStamp, longTerm }))
  return [...plain, ...(await Promise.all(signed))]
}

/** Results of a run. */
export interface SigningFuzz {
  /** A line for each document that breaks either, or that only intake accepts. */
  faults: string[]
  accepted: number
  /** Documents that only the trial signing of intake refused. */
  rejected: number
  /** Documents that the trial signing of intake refused although finalising succeeds. */
  strict: number
}

function note(result: SigningFuzz, round: number, verdicts: SigningVerdicts): void {
  const { refused, rehearsed, made } = verdicts
  const broken = [refused, rehearsed].find((fault) => fault?.includes('\n'))
  if (broken !== undefined) result.faults.push(`round ${round}: ${broken}`)
  if (refused !== undefined) return
  if (rehearsed === undefined) result.accepted += 1
  else result.rejected += 1
  if (rehearsed !== undefined && made === undefined) result.strict += 1
  if (rehearsed === undefined && made !== undefined) {
    result.faults.push(`round ${round}: accepted, then ${made}`)
  }
}

/** Which documents are damaged. */
export interface FuzzedDocuments {
  /** Number of the first one; 0 when absent. */
  first?: number
  /** Whether files of other producers are damaged too, if they exist. */
  withOthers: boolean
}

/** @param seed the same seed makes the same documents */
export async function fuzzSigning(
  count: number,
  seed: number,
  { first = 0, withOthers }: FuzzedDocuments,
): Promise<SigningFuzz> {
  const others = withOthers ? filesOfOthers().map(({ bytes }) => bytes) : []
  const small = others.filter(({ length }) => length <= MAXIMUM_SEED_BYTES)
  const files = [...(await ownFiles()), ...small]
  const result: SigningFuzz = { faults: [], accepted: 0, rejected: 0, strict: 0 }
  for (let round = first; round < first + count; round++) {
    const random = randomFrom(1 + ((seed + round * 7_919) % 2_147_483_645))
    const file = files[random(files.length)] as Buffer
    const damaged = random(4) === 0 ? mutated(file, random(4), random).bytes : file
    const page = random(1_000)
    const verdicts = await signingVerdicts(
      withHostileRevision(damaged, random),
      (pageCount) => 1 + (page % pageCount),
    )
    note(result, round, verdicts)
  }
  return result
}
