/**
 * Time-stamps with the service's own key and clock (RFC 3161). It is not a trusted third party, and
 * its certificate says so.
 */
import { randomBytes } from 'node:crypto'
import type { SigningDevice, TimeStampAuthority } from '../../domain/ports/signing.ts'
import { issueTimeStampToken } from '../../pades/index.ts'

/** A UUID-based object identifier (ITU-T X.667) for this policy, which needs no registration. */
const LOCAL_POLICY = '2.25.211743086291402186127434590821379204573'
const SERIAL_OCTETS = 16

export class LocalTimeStampAuthority implements TimeStampAuthority {
  readonly #device: SigningDevice
  readonly #now: () => Date

  constructor(device: SigningDevice, now: () => Date) {
    this.#device = device
    this.#now = now
  }

  async stamp(digest: Uint8Array): Promise<Uint8Array> {
    const { algorithm, certificates } = await this.#device.describe('time-stamp-authority')
    return issueTimeStampToken({
      messageImprint: digest,
      hash: 'sha256',
      policy: LOCAL_POLICY,
      serialNumber: randomBytes(SERIAL_OCTETS),
      genTime: this.#now(),
      certificates,
      algorithm,
      sign: (data) => this.#device.sign('time-stamp-authority', data),
    })
  }

  async trustAnchors(): Promise<readonly Uint8Array[]> {
    const { certificates } = await this.#device.describe('time-stamp-authority')
    return certificates.slice(-1)
  }
}
