/**
 * `npm run --silent verify -- file.pdf [--trust root.pem …] [--time …] [--json]`: validates every
 * signature of a PDF offline. Exit codes: 0 for TOTAL_PASSED, 3 for INDETERMINATE, 4 for
 * TOTAL_FAILED, 5 when the PDF has no signature, 1 when the file cannot be read, 2 for wrong
 * arguments.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { EnvironmentReader } from '../runtime/config/reader.ts'
import { readDataDirectory } from '../runtime/config/service.ts'
import { validateSignatures, type Indication } from '../pades/index.ts'
import { readGiven, trustOf } from './files.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'
import { describeReport } from './verify/describe-report.ts'

const USAGE =
  'usage: npm run --silent verify -- file.pdf [--trust root.pem …]' +
  ' [--time 2026-11-02T09:00:00Z] [--json]'
const CALLED_FROM = calledFrom('verify')

const EXIT_CODES: Readonly<Record<Indication, number>> = {
  TOTAL_PASSED: 0,
  INDETERMINATE: 3,
  TOTAL_FAILED: 4,
}
const NO_SIGNATURE_EXIT_CODE = 5

function timeOf(text: string | undefined): Date {
  if (text === undefined) return new Date()
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new UsageError(`${text} is not an ISO 8601 time`)
  return time
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      trust: { type: 'string', multiple: true, default: [] },
      time: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const [path, ...rest] = positionals
  if (path === undefined || rest.length > 0) throw new UsageError('give one file')
  const dataDirectory = readDataDirectory(new EnvironmentReader(process.env))
  const { trust } = trustOf(values.trust, dataDirectory, CALLED_FROM)
  const report = await validateSignatures(readGiven(path, CALLED_FROM), {
    trustAnchors: trust?.certificates ?? [],
    validationTime: timeOf(values.time),
  })
  const trusted = trust?.origin ?? 'no root (name one with --trust)'
  console.log(values.json ? JSON.stringify(report, null, 2) : describeReport(path, report, trusted))
  const { indication } = report.summary
  return indication === undefined ? NO_SIGNATURE_EXIT_CODE : EXIT_CODES[indication]
}

await runTool(main, USAGE)
