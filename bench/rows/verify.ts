/** Rows `verify`, `verify25x5` and `verifyworst`: validation of signed documents. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SEMI_SPACE_FLAG } from '../../adapters/pdf-sandbox/reading-child.ts'
import { forgetRightValues } from '../../pades/cms/verify-value.ts'
import { signDocument, validateSignatures } from '../../pades/index.ts'
import { CORPUS } from '../../test/fixtures/corpus.ts'
import * as pki from '../../test/fixtures/pki.ts'
import { LARGE, makePdf, SMALL } from '../inputs.ts'
import { alternate, type Contender } from '../measure.ts'
import type { RowReport } from '../report.ts'
import { people, requestFor, sha256Pass } from '../signing.ts'
import { findInvalidity } from '../validity.ts'

const run = promisify(execFile)
const SMALL_FILES = 40
const LARGE_SIGNERS = 4
const CHILD = fileURLToPath(new URL('verify-child.ts', import.meta.url))
const MEBIBYTE = 1024 * 1024

const options = { trustAnchors: pki.trustAnchors, validationTime: pki.NOW }
const ABSENT = ['pyHanko (Python)']

/** Forty small files, each signed by one person and sealed. */
export async function verify(): Promise<RowReport> {
  const files: Uint8Array[] = []
  for (let index = 0; index < SMALL_FILES; index++) {
    const pdf = makePdf({ ...SMALL, objects: SMALL.objects + index })
    files.push((await signDocument(pdf, requestFor(await people(1), true))).bytes)
  }
  const invalid = await findInvalidity(files[0] as Uint8Array, 2)
  const { ours } = await alternate({
    ours: async () => {
      forgetRightValues()
      for (const file of files) await validateSignatures(file, options)
    },
  })
  const each = ours / SMALL_FILES
  return {
    measured: `${each.toFixed(2)} ms each`,
    figures: [
      { of: 'ms for one file', value: each, better: 'less', must: 8, aim: 4, informative: true },
    ],
    skipped: ABSENT,
    ...(invalid === undefined ? {} : { void: invalid }),
  }
}

/** Whether the program is installed; it prints its version to standard error. */
async function hasPdfsig(): Promise<boolean> {
  return run('pdfsig', ['-v']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}

/** Four people and a seal on 25 MB with many objects. */
export async function verify25x5(): Promise<RowReport> {
  const request = requestFor(await people(LARGE_SIGNERS), true)
  const { bytes } = await signDocument(makePdf(LARGE), request)
  const invalid = await findInvalidity(bytes, LARGE_SIGNERS + 1)
  const folder = await mkdtemp(join(tmpdir(), 'sigcase-bench-'))
  const path = join(folder, 'signed.pdf')
  try {
    await writeFile(path, bytes)
    const isThere = await hasPdfsig()
    const pdfsig = async () => void (await run('pdfsig', ['-nocert', path]).catch(() => undefined))
    const contenders: Record<string, Contender> = {
      floor: sha256Pass(bytes),
      ours: async () => {
        forgetRightValues()
        await validateSignatures(bytes, options)
      },
      ...(isThere ? { pdfsig } : {}),
    }
    const times = await alternate(contenders)
    const { floor = 0, ours = 0 } = times
    return {
      measured: `${ours.toFixed(1)} ms`,
      figures: [
        { of: '× one SHA-256 pass', value: ours / floor, better: 'less', must: 3, aim: 1.5 },
        ...(times.pdfsig === undefined
          ? []
          : [
              {
                of: '× faster than pdfsig',
                value: times.pdfsig / ours,
                better: 'more' as const,
                must: 4,
                aim: 10,
              },
            ]),
      ],
      skipped: [...ABSENT, ...(isThere ? [] : ['pdfsig'])],
      ...(invalid === undefined ? {} : { void: invalid }),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Output of {@link CHILD}. */
export interface Worst {
  file: string
  elapsedMs: number
  maximumRssBytes: number
  files: number
}

/** Validates the corpus in a separate process, to measure its memory as the sandbox limits it. */
export async function verifyWorst(): Promise<RowReport> {
  if (!existsSync(CORPUS)) return { measured: 'nothing', figures: [], skipped: ['the corpus'] }
  const { stdout } = await run(process.execPath, [SEMI_SPACE_FLAG, CHILD, CORPUS])
  const { file, elapsedMs, maximumRssBytes, files } = JSON.parse(stdout) as Worst
  return {
    measured: `${file}, of ${files}`,
    figures: [
      { of: 'ms', value: elapsedMs, better: 'less', must: 1_000 },
      { of: 'MB at most', value: maximumRssBytes / MEBIBYTE, better: 'less', must: 200 },
    ],
  }
}
