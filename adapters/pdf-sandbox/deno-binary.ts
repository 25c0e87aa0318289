/** Finds the Deno program that npm installed for this machine, and how it runs without rights. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

const require = createRequire(import.meta.url)
const PLATFORMS = [
  `${process.platform}-${process.arch}-glibc`,
  `${process.platform}-${process.arch}`,
]

/**
 * Arguments that run a program without rights. Statically imported modules need no right to read;
 * everything else is refused without a prompt, and nothing is downloaded.
 */
export const DENO_RUN = [
  'run',
  '--quiet',
  '--no-prompt',
  '--no-remote',
  '--cached-only',
  '--node-modules-dir=manual',
] as const

/** @returns a path: of npm's package, or of the Deno that runs this; else `deno`, to be on PATH */
export function denoBinary(): string {
  for (const platform of PLATFORMS) {
    try {
      const folder = dirname(require.resolve(`@deno/${platform}/package.json`))
      const path = join(folder, 'deno')
      if (existsSync(path)) return path
    } catch {
      // Not this platform's package.
    }
  }
  return 'deno' in process.versions ? process.execPath : 'deno'
}
