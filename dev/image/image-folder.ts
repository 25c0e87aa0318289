/** Keeps the content of the images in a folder of this machine, for tests. */
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { CACHE } from '../pods/layout.ts'
import { buildPrograms } from '../build-programs.ts'
import { fillImage } from './fill-image.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Outside the repository, so that packages which an image lacks are not found. */
const PLACE = join(CACHE, 'images')
/** Tests that still run may use an earlier one. */
const KEEP_MS = 24 * 3_600_000

function digestOfContent(bundles: string): string {
  const hash = createHash('sha256').update(readFileSync(join(bundles, 'sources.sha256')))
  const files = globSync('*.{ts,sh}', { cwd: import.meta.dirname }).sort()
  for (const file of [...files.map((name) => join('dev', 'image', name)), 'package.json']) {
    hash.update(readFileSync(join(ROOT, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

function removeOld(current: string): void {
  const leastMs = Date.now() - KEEP_MS
  for (const name of globSync('*', { cwd: PLACE })) {
    const path = join(PLACE, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: leastMs }
    if (path !== current && mtimeMs < leastMs) rmSync(path, { recursive: true, force: true })
  }
}

/** @returns folder with what images have as `/app`, without pages and lists of packages */
export async function imageFolder(): Promise<string> {
  const folder = join(PLACE, digestOfContent(await buildPrograms()))
  if (existsSync(folder)) return folder
  const filling = join(PLACE, `filling-${randomUUID()}`)
  mkdirSync(filling, { recursive: true })
  await fillImage(filling)
  try {
    renameSync(filling, folder)
  } catch (error) {
    // Another process was faster.
    rmSync(filling, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  removeOld(folder)
  return folder
}
