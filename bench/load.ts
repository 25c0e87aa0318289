/**
 * `npm run load -- --rate N --minutes M [--cluster]`: drives whole cases at a fixed rate and
 * reports latencies, CPU time, memory and queues (docs/how-to/test-the-load.md).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { calledFrom, runTool } from '../cli/usage.ts'
import { readDocuments } from './load/documents.ts'
import { readOptions, USAGE } from './load/options.ts'
import { findFaults, formatFiles, formatText } from './load/report.ts'
import { runLoad } from './load/run.ts'
import { startCluster, startOneProcess } from './load/services.ts'

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), calledFrom('load'))
  const documents = readDocuments(options.documents)
  const service = await (options.isCluster ? startCluster() : startOneProcess())
  try {
    const run = await runLoad(options, documents, service, (line) => console.log(line))
    mkdirSync(options.output, { recursive: true })
    for (const [name, text] of Object.entries(formatFiles(run))) {
      writeFileSync(join(options.output, name), text)
    }
    console.log(`${formatText(run)}\n\n${join(options.output, 'load.html')}`)
    return findFaults(run).length > 0 ? 1 : 0
  } finally {
    await service.end()
  }
}

await runTool(main, USAGE)
