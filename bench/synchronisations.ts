/** Counts how often a service synchronises with the disk, with strace(1) of Linux. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const SYSTEM_CALLS = 'fsync,fdatasync'
/** A call that another thread interrupts has two lines; the second one has no parenthesis. */
const CALL = /\b(?:fsync|fdatasync)\(/g

/** Why this machine cannot count them; undefined if it can. */
export function withoutStrace(): string | undefined {
  return spawnSync('strace', ['-V']).error ? 'strace is not installed' : undefined
}

/** What starts a command whose calls are counted. @param log file that receives them */
export const countingSynchronisations = (log: string): [string, ...string[]] => [
  'strace',
  '--follow-forks',
  // The service is the child of the caller, so that it gets its signals.
  '--daemonize',
  '--seccomp-bpf',
  '--quiet=all',
  `--trace=${SYSTEM_CALLS}`,
  `--output=${log}`,
]

export const countSynchronisations = (log: string): number =>
  readFileSync(log, 'utf8').match(CALL)?.length ?? 0
