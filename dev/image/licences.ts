/** Writes the licences of packages whose code is in a bundle, and not beside its licence. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { identify, type Lock } from './packages.ts'

const NOTICE = /^(licen[cs]e|notice|copying|authors)/i
const RULE = '-'.repeat(80)

function readNotices(folder: string): string[] {
  if (!existsSync(folder)) throw new Error(`${folder} is not installed`)
  const files = readdirSync(folder, { withFileTypes: true })
  return files
    .filter((file) => file.isFile() && NOTICE.test(file.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim())
}

/**
 * Collects licences.
 *
 * @param folders of the packages, from the root
 * @returns for each package its name, version, licence and notices
 */
export function composeLicences(root: string, lock: Lock, folders: readonly string[]): string {
  const parts = new Map<string, string>()
  for (const folder of folders) {
    const title = `${identify(lock, folder)} (${lock[folder]?.license ?? 'see below'})`
    parts.set(title, [title, ...readNotices(join(root, folder))].join('\n\n'))
  }
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  return `${sorted.join(`\n\n${RULE}\n`)}\n`
}
