/** Reads the arguments of `npm run load`. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '../../cli/usage.ts'

const SECONDS_PER_MINUTE = 60
const MS_PER_SECOND = 1_000
const MAXIMUM_PARTICIPANTS = 20

export const USAGE = `usage: npm run load -- --rate N --minutes M [--cluster] [--documents FOLDER]
                     [--participants 2] [--patience SECONDS] [--output FOLDER]

Starts a service of its own, creates N cases in each second for M minutes, drives each case to its
end as a tenant and its participants do, and writes load.json, load.svg and load.html to FOLDER.

  --cluster        an API server, Redis, and all processes of the service, instead of one process
  --documents      upload the PDFs of this folder in turn, instead of the examples
  --participants   of each case; they sign one after the other
  --patience       seconds that a case may take after its last step; later it is lost (120)
  --output         .data/load by default

Exit code 1: a case was refused or lost, or a webhook is missing or came twice.`

export interface LoadOptions {
  /** Cases in a second. */
  rate: number
  durationMs: number
  isCluster: boolean
  /** Absolute path; absent: examples of the project. */
  documents?: string
  participants: number
  patienceMs: number
  /** Absolute path. */
  output: string
}

function readNumber(name: string, text: string | undefined, maximum: number): number {
  const value = Number(text)
  if (text === undefined || !(value > 0 && value <= maximum)) {
    throw new UsageError(`--${name} is a number above 0 and at most ${maximum}`)
  }
  return value
}

/**
 * @param args arguments after the name of the command
 * @param folder for relative paths
 * @throws UsageError
 */
export function readOptions(args: readonly string[], folder: string): LoadOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rate: { type: 'string' },
      minutes: { type: 'string' },
      cluster: { type: 'boolean', default: false },
      documents: { type: 'string' },
      participants: { type: 'string', default: '2' },
      patience: { type: 'string', default: '120' },
      output: { type: 'string', default: join('.data', 'load') },
    },
  })
  const minutes = readNumber('minutes', values.minutes, 24 * 60)
  return {
    rate: readNumber('rate', values.rate, 10_000),
    durationMs: minutes * SECONDS_PER_MINUTE * MS_PER_SECOND,
    isCluster: values.cluster,
    ...(values.documents !== undefined && { documents: resolve(folder, values.documents) }),
    participants: Math.ceil(readNumber('participants', values.participants, MAXIMUM_PARTICIPANTS)),
    patienceMs: readNumber('patience', values.patience, 3_600) * MS_PER_SECOND,
    output: resolve(folder, values.output),
  }
}
