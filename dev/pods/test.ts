/**
 * `npm run test:pods [-- part of a path …]`: runs the tests on pods, one file after the other on
 * one node. It uses the node that runs already, or starts one and ends it afterwards. Where no node
 * can run, it says why.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { freePorts } from '../../adapters/shared/free-ports.ts'
import { runTestFile } from '../run-test-file.ts'
import { runTool } from '../../cli/usage.ts'
import { readProxyUrl, startPods } from './start-pods.ts'
import { nodePid } from './in-node.ts'
import { ROOT } from './layout.ts'
import { stopNode } from './node.ts'
import { whyNoNode } from './programs.ts'

const USAGE = 'usage: npm run test:pods [-- part of a path …]'

/** Many cases in flight take ten minutes on two idle cores, and a busy machine takes longer. */
const FILE_LIMIT_MS = 60 * 60 * 1000

/** Reads the comments of the tests, which have times and counts, from TAP output. */
const readFigures = (output: string): string[] =>
  output.match(/^ +# (?!Subtest|time=|\{).*$/gm) ?? []

/** Runs the files in the order of their names. @returns whether all passed, and one at least */
async function runFiles(files: readonly string[]): Promise<boolean> {
  // Test files reach the cluster through its proxy.
  const proxy = readProxyUrl()
  const environment = ['env', 'NODE_USE_ENV_PROXY=1', `HTTP_PROXY=${proxy}`]
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const file of files) {
    const result = await runTestFile([...environment, process.execPath, file], {
      fileLimitMs: FILE_LIMIT_MS,
    })
    if (result.failed > 0) console.log(result.output)
    const { passed, failed, skipped, durationMs, fault } = result
    const seconds = (durationMs / 1000).toFixed(1).padStart(6)
    console.log(`${seconds} s  ${file}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
    if (fault !== undefined) console.log(`          ${fault}`)
    if (result.failed === 0) for (const figure of readFigures(result.output)) console.log(figure)
    sum.passed += passed
    sum.failed += failed
    sum.skipped += skipped
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  return sum.failed === 0 && sum.passed > 0
}

async function main(): Promise<number> {
  const { positionals: parts } = parseArgs({ allowPositionals: true })
  const reason = whyNoNode()
  if (reason !== undefined) {
    console.log(`Tests on pods did not run. ${reason}`)
    return process.env.CI === 'true' ? 1 : 0
  }
  const files = globSync('test/pods/**/*.test.ts', { cwd: ROOT })
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort()
    .map((file) => join(ROOT, file))
  const isOwn = nodePid() === undefined
  if (isOwn) {
    const [port] = (await freePorts(1)) as [number]
    await startPods(port)
  }
  try {
    return (await runFiles(files)) ? 0 : 1
  } finally {
    if (isOwn) await stopNode()
  }
}

await runTool(main, USAGE)
