/** xmlsec1 as an independent judge of signed XML reports. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '../../pades/cms/openssl.ts'

/** False, or why tests that need xmlsec1 are skipped. */
export const skip: false | string =
  spawnSync('xmlsec1', ['--version']).status === 0 ? false : 'xmlsec1 is not installed'

const SIGNED_PROPERTIES = 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties'

/**
 * Whether xmlsec1 accepts the only signature of a file.
 *
 * @param root DER of the root certificate that is trusted
 * @param at time at which the certificates must be valid
 */
export function isAccepted(xml: Uint8Array, root: Uint8Array, at: Date): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'xmlsec-'))
  try {
    writeFileSync(join(folder, 'report.xml'), xml)
    writeFileSync(join(folder, 'root.pem'), pem(root))
    const time = at.toISOString().replace('T', ' ').slice(0, 19)
    const { status, stderr } = spawnSync(
      'xmlsec1',
      [
        '--verify',
        ...['--trusted-pem', 'root.pem', '--verification-gmt-time', time],
        ...['--id-attr:Id', SIGNED_PROPERTIES, 'report.xml'],
      ],
      { cwd: folder, encoding: 'utf8' },
    )
    return status === 0 && stderr.includes('ok/all): 2/2')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
