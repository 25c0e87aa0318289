/** Watches the sources and runs the tests that a change can break. */
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { listTestsOf, readImportGraph } from './changed.ts'

const FOLDERS = [
  ...['adapters', 'api', 'application', 'charts', 'cli', 'controllers', 'crds', 'dev', 'docs'],
  ...['domain', 'examples', 'pades', 'runtime', 'test', 'trusted-lists', 'web', 'workers'],
]
/** Delay after a change, because editors write a file in several steps. */
const SETTLE_MS = 200
const IGNORED = /(^|\/)(dist|node_modules|\.[^/]+)(\/|$)|~$/

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
  for (const folder of FOLDERS.filter((name) => existsSync(join(root, name)))) {
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
