/** Checks of `sigcase doctor` about signing keys, certificates and time-stamps. */
import { createHash } from 'node:crypto'
import type {
  SigningDevice,
  SigningKeyName,
  TimeStampAuthority,
} from '../../domain/ports/signing.ts'
import { readCertificate } from '../../pades/index.ts'
import { failed, ok, warning, type Check } from './finding.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The alert `SigcaseCertificateExpiring` fires as early. */
const WARNING_DAYS = 30

/** Checks that a key signs, and that its certificates are valid for some time. */
export function signingKeyCheck(
  key: SigningKeyName,
  device: SigningDevice,
  nowMs: () => number,
): Check {
  const certify =
    `run \`sigcase kms-certificates\` on a cluster, or \`sigcase keyring rotate ${key}\` on one ` +
    'machine'
  return {
    name: `key ${key}`,
    remedy: `see docs/how-to/rotate-keys.md; for a certificate of another key, ${certify}`,
    async ask() {
      const { algorithm, certificates } = await device.describe(key)
      await device.sign(key, new TextEncoder().encode('sigcase doctor'))
      const validities = certificates.map((der) => readCertificate(der))
      const startMs = Math.max(...validities.map(({ notBefore }) => notBefore.getTime()))
      if (startMs > nowMs()) {
        return failed(`a certificate of ${key} is not valid yet`, `${certify}; check the clock`)
      }
      const ends = validities.map(({ notAfter }) => notAfter.getTime())
      const days = Math.floor((Math.min(...ends) - nowMs()) / DAY_MS)
      if (days < 0) return failed(`a certificate of ${key} has expired`, certify)
      if (days < WARNING_DAYS) return warning(`a certificate of ${key} ends in ${days} d`, certify)
      return ok(`${algorithm}, certificates are valid for ${days} d`)
    },
  }
}

/** Requests one time-stamp. */
export function timeStampCheck(authority: TimeStampAuthority): Check {
  return {
    name: 'time-stamps',
    remedy: 'check TSA_URLS, TSA_ROOTS and TSA_POLICY, and that the workers reach the authority',
    async ask() {
      const began = performance.now()
      await authority.stamp(createHash('sha256').update('sigcase doctor').digest())
      return ok(`a token in ${Math.round(performance.now() - began)} ms`)
    },
  }
}
