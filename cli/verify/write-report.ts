/** Writes the report of `npm run verify` in the form that the command line asks for. */
import { existsSync } from 'node:fs'
import { SoftwareKeys } from '../../adapters/embedded/software-keys.ts'
import { keysFolder } from '../../runtime/embedded/paths.ts'
import type { Validation } from '../../pades/index.ts'
import type { CoreReport } from '../../domain/contract/validation-report.ts'
import { writeEtsiReport, XML_DECLARATION } from '../../workers/verification-report/etsi-report.ts'
import { printReport } from '../../workers/verification-report/printed-report.ts'
import { UsageError } from '../usage.ts'
import { describeReport } from './describe-report.ts'

export const FORMATS = ['text', 'json', 'etsi', 'pdf'] as const
export type Format = (typeof FORMATS)[number]

/** What the report is made from, beside the validation. */
export interface ReportContext {
  /** Name of the PDF. */
  readonly path: string
  /** Description of the trusted roots. */
  readonly trusted: string
  /** Folder with the key of the seal; undefined: the report is not signed. */
  readonly sealedBy: string | undefined
}

const encode = (text: string) => new TextEncoder().encode(`${text}\n`)

/** Opens the keys of a service. @throws UsageError when the folder has none */
async function openKeys(dataDirectory: string): Promise<SoftwareKeys> {
  const folder = keysFolder(dataDirectory)
  if (!existsSync(folder)) {
    throw new UsageError(`${dataDirectory} has no keys; set DATA_DIR to the folder of a service`)
  }
  return SoftwareKeys.open(folder, new Date(), '')
}

async function writeEtsi({ report, certificates }: Validation, sealedBy: string | undefined) {
  const source = {
    // The same report; the schema of the contract has no read-only members.
    report: report as unknown as CoreReport,
    certificates: certificates.map(({ der }) => der),
  }
  if (sealedBy === undefined) return encode(`${XML_DECLARATION}${writeEtsiReport(source)}`)
  const device = await openKeys(sealedBy)
  // The library for XML signatures takes long to load.
  const { signXml } = await import('../../workers/verification-report/sign-report.ts')
  return signXml((signer) => writeEtsiReport(source, signer), device, new Date())
}

/**
 * Returns the report as the octets of a file.
 *
 * @throws UsageError when the report must be sealed and there is no key
 */
export async function writeReport(
  validation: Validation,
  format: Format,
  { path, trusted, sealedBy }: ReportContext,
): Promise<Uint8Array> {
  const { report } = validation
  switch (format) {
    case 'text':
      return encode(describeReport(path, report, trusted))
    case 'json':
      return encode(JSON.stringify(report, null, 2))
    case 'etsi':
      return writeEtsi(validation, sealedBy)
    case 'pdf':
      return printReport(report as unknown as CoreReport)
  }
}
