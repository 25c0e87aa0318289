/**
 * `npm run --silent verify -- file.pdf [--trust root.pem …] [--time …] [--policy policy.json]
 * [--format text|json|etsi|pdf] [--out file] [--seal]`: validates every signature of a PDF offline.
 * Exit codes: 0 for TOTAL_PASSED, 3 for INDETERMINATE, 4 for TOTAL_FAILED, 5 when the PDF has no
 * signature, 1 for other failures, 2 for wrong arguments or a file that cannot be read.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { EnvironmentReader } from '../runtime/config/reader.ts'
import { readDataDirectory } from '../runtime/config/service.ts'
import type { Indication } from '../pades/index.ts'
import { readGiven, readTrust, writeMade } from './files.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'
import { optionsOfPolicy, readPolicyFile, trustOfPolicy } from './verify/policy-file.ts'
import type { PolicyFile, PolicyTrust } from './verify/policy-file.ts'
import { validateOffline } from './verify/validate-offline.ts'
import { FORMATS, writeReport, type Format } from './verify/write-report.ts'

const USAGE =
  'usage: npm run --silent verify -- file.pdf [--trust root.pem …]' +
  ' [--time 2026-11-02T09:00:00Z] [--policy policy.json] [--json]\n' +
  '  [--format text|json|etsi|pdf] [--out report] [--seal]'
const CALLED_FROM = calledFrom('verify')

const EXIT_CODES: Readonly<Record<Indication, number>> = {
  TOTAL_PASSED: 0,
  INDETERMINATE: 3,
  TOTAL_FAILED: 4,
}
const NO_SIGNATURE_EXIT_CODE = 5

const readArguments = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      trust: { type: 'string', multiple: true, default: [] },
      time: { type: 'string' },
      policy: { type: 'string' },
      json: { type: 'boolean', default: false },
      format: { type: 'string' },
      out: { type: 'string' },
      seal: { type: 'boolean', default: false },
    },
  })

type Arguments = ReturnType<typeof readArguments>['values']

function timeOf(text: string | undefined, policy: PolicyFile | undefined): Date {
  const ofPolicy = policy?.policy.validationTime
  if (ofPolicy !== undefined && text !== undefined) {
    throw new UsageError('the policy sets the time: leave out --time')
  }
  const chosen = ofPolicy ?? text
  if (chosen === undefined) return new Date()
  const time = new Date(chosen)
  if (Number.isNaN(time.getTime())) throw new UsageError(`${chosen} is not an ISO 8601 time`)
  return time
}

/** @throws UsageError when options contradict each other */
function formatOf({ format, json, seal, out }: Arguments): Format {
  const chosen = FORMATS.find((one) => one === (format ?? (json ? 'json' : 'text')))
  if (!chosen) throw new UsageError(`--format is one of ${FORMATS.join(', ')}`)
  if (json && chosen !== 'json') throw new UsageError('--json and --format contradict each other')
  if (seal && chosen !== 'etsi') throw new UsageError('--seal needs --format etsi')
  if (chosen === 'pdf' && out === undefined) throw new UsageError('--format pdf needs --out')
  return chosen
}

/** Whom to trust: the policy decides, or else the command line. */
async function chooseTrust(
  given: readonly string[],
  policy: PolicyFile | undefined,
  dataDirectory: string,
): Promise<PolicyTrust> {
  const ofPolicy = policy && (await trustOfPolicy(policy, new Date()))
  if (ofPolicy && given.length > 0) {
    throw new UsageError('the policy says whom to trust: leave out --trust')
  }
  if (ofPolicy) return ofPolicy
  const { trust } = readTrust(given, dataDirectory, CALLED_FROM)
  const origin = trust?.origin ?? 'no root (name one with --trust)'
  return { certificates: trust?.certificates ?? [], lists: undefined, origin }
}

async function main(): Promise<number> {
  const { values, positionals } = readArguments()
  const [path, ...rest] = positionals
  if (path === undefined || rest.length > 0) throw new UsageError('give one file')
  const format = formatOf(values)
  const dataDirectory = readDataDirectory(new EnvironmentReader(process.env))
  const policy =
    values.policy === undefined ? undefined : readPolicyFile(values.policy, CALLED_FROM)
  const validationTime = timeOf(values.time, policy)
  const trust = await chooseTrust(values.trust, policy, dataDirectory)
  const options = {
    ...(policy && optionsOfPolicy(policy)),
    trustAnchors: trust.certificates,
    validationTime,
  }
  const validation = await validateOffline(readGiven(path, CALLED_FROM), options, trust.lists)
  const octets = await writeReport(validation, format, {
    path,
    trusted: trust.origin,
    sealedBy: values.seal ? dataDirectory : undefined,
  })
  if (values.out === undefined) process.stdout.write(octets)
  else writeMade(values.out, octets, CALLED_FROM)
  const { indication } = validation.report.summary
  return indication === undefined ? NO_SIGNATURE_EXIT_CODE : EXIT_CODES[indication]
}

await runTool(main, USAGE)
