/** Builds the commands of the service's processes on the local cluster. */
import { join } from 'node:path'
import process from 'node:process'
import type { Component } from '../rbac/rights.ts'
import { denoCommand } from './deno-worker.ts'

const ROOT = join(import.meta.dirname, '..', '..')
export const HOME = 'sigcase-system'
/** As in the chart: a burst of reads would grow it, and the heap with it (decision 258). */
const YOUNG_GENERATION = '--max-semi-space-size=4'

/** A process with an account of its own. */
export interface Program {
  component: Component
  name: string
  command: readonly string[]
  more?: Readonly<Record<string, string>>
}

export interface ProgramOptions {
  /** Folder of the cluster. */
  folder: string
  workers?: readonly ('node' | 'deno')[]
  controllers?: number
  /** Command of the reader; another one in tests. */
  reader?: readonly string[]
}

export interface Programs {
  api: Program
  controllers: readonly Program[]
  workers: readonly Program[]
  /** Command of the reader, which has no account. */
  reader: readonly string[]
}

/** Where the processes find their files. */
export interface Places {
  /** Folder of the bundles. */
  bundles: string
  /** Socket of the reader. */
  readerSocket: string
}

/** Processes run bundles, as in the images: they start in half of the CPU time (decision 288). */
export function listPrograms(
  { folder, workers = ['node', 'deno'], controllers = 1, reader }: ProgramOptions,
  { bundles, readerSocket }: Places,
): Programs {
  const node = (bundle: string, ...options: string[]) => [
    process.execPath,
    '--enable-source-maps',
    ...options,
    join(bundles, bundle),
  ]
  const deno = () => [
    ...denoCommand({ read: [ROOT, folder], readerSocket }),
    join(bundles, 'worker.js'),
  ]
  return {
    api: { component: 'api', name: 'api', command: node('api.js') },
    controllers: Array.from({ length: controllers }, (_, index) => {
      const name = `controller-${index + 1}`
      const more = { POD_NAMESPACE: HOME, POD_NAME: name }
      const command = node('controller.js', YOUNG_GENERATION)
      return { component: 'controller', name, command, more }
    }),
    workers: workers.map((runtime, index) => ({
      component: 'worker',
      name: `worker-${index + 1}-${runtime}`,
      command: runtime === 'node' ? node('worker.js') : deno(),
      more: { READER_SOCKET: readerSocket },
    })),
    reader: reader ?? node('reader.js'),
  }
}
