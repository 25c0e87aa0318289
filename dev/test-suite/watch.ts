/** Watches the sources and runs the tests that a change can break. */
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { listTestsOf, readImportGraph } from './changed.ts'

/** Delay after a change, because editors write a file in several steps. */
const SETTLE_MS = 200
const IGNORED = /(^|\/)(dist|node_modules|\.[^/]+)(\/|$)|~$/

/** Lists the folders of the repository that have sources. @param root its folder */
export function listFolders(root: string): string[] {
  const entries = readdirSync(root, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return folders.filter((name) => !IGNORED.test(name)).sort()
}

/**
 * Runs until the process ends.
 *
 * @param root folder of the repository
 * @param run runs the test files that a change can break
 */
export async function watchSources(
  root: string,
  run: (tests: ReadonlySet<string>) => Promise<unknown>,
): Promise<never> {
  let changes = new Set<string>()
  let wake = () => {}
  for (const folder of listFolders(root)) {
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name === null || IGNORED.test(name)) return
      changes.add(join(folder, name))
      wake()
    })
  }
  for (;;) {
    console.log('waiting for a change')
    if (changes.size === 0) await new Promise<void>((resolve) => (wake = resolve))
    await setTimeout(SETTLE_MS)
    const changed = [...changes]
    changes = new Set()
    await run(listTestsOf(changed, readImportGraph(root)))
  }
}
