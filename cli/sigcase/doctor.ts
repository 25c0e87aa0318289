/** `sigcase doctor`: the command. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { PROCESSES, type Finding, type ProcessName } from '../doctor/finding.ts'
import { FindingsError } from './exit-codes.ts'
import { OUTPUT_FORMATS, printRows, type Column, type OutputFormat } from './output.ts'

const COLUMNS: readonly Column<Finding>[] = [
  { heading: 'CHECK', read: ({ check }) => check },
  { heading: 'RESULT', read: ({ outcome }) => outcome },
  { heading: 'DETAIL', read: ({ detail }) => detail },
  { heading: 'REMEDY', read: ({ remedy }) => remedy },
]

interface Options {
  process: ProcessName
  webhook: string | undefined
  output: OutputFormat
}

/** `sigcase doctor`. */
export const doctorCommand = {
  command: 'doctor',
  describe: 'check configuration, keys, certificates and everything that the service needs',
  builder: (builder) =>
    builder
      .option('process', {
        choices: PROCESSES,
        default: 'embedded' as ProcessName,
        describe: 'whose environment this is; on a cluster, run the command inside the pod',
      })
      .option('webhook', {
        type: 'string',
        describe: 'URL of a receiver that webhooks must reach',
      })
      .option('output', {
        alias: 'o',
        choices: OUTPUT_FORMATS,
        default: 'table' as OutputFormat,
        describe: 'format of the result',
      }) as never,
  async handler({ process: name, webhook, output }) {
    // Other commands do not load what it checks, which is the whole service.
    const { examine } = await import('../doctor/doctor.ts')
    const found = await examine(name, process.env, webhook)
    printRows(output, COLUMNS, found)
    const faults = found.filter(({ outcome }) => outcome === 'failed')
    if (faults.length > 0) throw new FindingsError(`${faults.length} of ${found.length} failed`)
  },
} satisfies CommandModule<object, Options>
