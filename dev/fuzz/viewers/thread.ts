/** Makes and judges the mutations of one thread, and reports each to the main thread. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import {
  evidenceDocuments,
  sealedCorpus,
  signedShapes,
  unsignedCorpus,
  unsignedShapes,
} from './documents.ts'
import { DrawingTable, REFUSED, type Verdict } from './judge.ts'
import { REVISION_CLASSES } from './mutations.ts'
import { Viewers } from './renderers.ts'
import { type Attempt, SignedTargets } from './revisions-mode.ts'
import type { Mode, ThreadMessage, ThreadTask } from './run.ts'
import { BaseShelf, type LazyBase } from './shelf.ts'
import { UPLOAD_CLASSES } from './upload-classes.ts'
import { UploadTargets } from './uploads-mode.ts'

const task = workerData as ThreadTask
const send = (message: ThreadMessage) => parentPort?.postMessage(message)

interface Targets {
  attempt(className: string, seed: number): Promise<Attempt>
  close?(): Promise<void>
}

const { corpus, bases } = task
const chosen = (documents: readonly LazyBase[]) =>
  documents.filter(({ name }) => bases === undefined || name.includes(bases))

const OPEN: Readonly<Record<Mode, (table: DrawingTable) => Targets>> = {
  revisions: (table) => {
    const real = corpus === undefined ? [] : sealedCorpus(corpus)
    return new SignedTargets(new BaseShelf(chosen(signedShapes()), chosen(real)), table)
  },
  evidence: (table) => new SignedTargets(new BaseShelf(evidenceDocuments()), table),
  uploads: (table) => {
    const real = corpus === undefined ? [] : unsignedCorpus(corpus)
    return new UploadTargets(new BaseShelf(chosen(unsignedShapes()), chosen(real)), table)
  },
}

const classes = Object.keys(task.mode === 'uploads' ? UPLOAD_CLASSES : REVISION_CLASSES)
const selected = classes.filter((name) => !task.only || name.includes(task.only))

function keep(attempt: Attempt, round: number): string {
  mkdirSync(task.keep, { recursive: true })
  const path = join(task.keep, `${task.mode}-${attempt.name}-${task.seed}-${round}.pdf`)
  writeFileSync(path, attempt.bytes)
  return path
}

async function tryOne(targets: Targets, round: number): Promise<void> {
  const className = selected[round % selected.length] as string
  send({ kind: 'started', round, className })
  const attempt = await targets.attempt(className, seedOf(round))
  let verdict: Verdict
  send({ kind: 'validating' })
  try {
    verdict = await attempt.judge(() => send({ kind: 'validated' }))
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    verdict = { ...REFUSED, fault }
  }
  const isWrong = verdict.differences.length > 0 || verdict.fault !== undefined
  const file = isWrong ? keep(attempt, round) : undefined
  send({ kind: 'done', className, verdict, ...(file !== undefined && { file }) })
}

/** Park and Miller's generator takes no seed of 0. */
const seedOf = (round: number) => 1 + ((task.seed * 7_919 + round * 104_729) % 2_147_483_645)

const folder = mkdtempSync(join(tmpdir(), 'sigcase-viewers-'))
const viewers = new Viewers()
const targets = OPEN[task.mode](new DrawingTable(viewers, folder))
try {
  for (let round = task.first; round < task.count; round += task.step) {
    await tryOne(targets, round)
  }
} finally {
  await targets.close?.()
  await viewers.close()
  rmSync(folder, { recursive: true })
}
send({ kind: 'ended' })
