/** OpenSSL as an independent judge of what `pades/cms` writes. */

import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOW } from '../../fixtures/pki.ts'

/** False, or why tests that need OpenSSL are skipped. */
export const skip: false | string =
  spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed'

export const pem = (der: Uint8Array, label = 'CERTIFICATE') => {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** Seconds since 1970 at which the tests' certificates are valid, for `-attime`. */
export const AT_TIME = ['-attime', String(NOW.getTime() / 1000)]

/**
 * Runs OpenSSL among files of its own.
 *
 * @returns what it printed, and its exit status
 */
export function openssl(
  files: Readonly<Record<string, Uint8Array | string>>,
  ...parameters: readonly string[]
): { status: number; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'pades-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    const result = spawnSync('openssl', [...parameters], { cwd: folder, encoding: 'utf8' })
    return { status: result.status ?? -1, output: `${result.stdout}${result.stderr}` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
