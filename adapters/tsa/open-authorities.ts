/** Opens the time-stamp authorities of a process and its sources of validation data. */
import type { IssuerCertificates } from '../../domain/ports/issuers.ts'
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import type { RevocationAuthorities } from '../../domain/ports/revocation.ts'
import type { SigningDevice, TimeStampAuthority } from '../../domain/ports/signing.ts'
import { HttpIssuerCertificates } from './issuer-certificates.ts'
import { LocalTimeStampAuthority } from './local-time-stamp-authority.ts'
import { HttpRevocationAuthorities } from './revocation-authorities.ts'
import { HttpTimeStampAuthorities, type HttpTimeStampOptions } from './time-stamp-authorities.ts'

export interface AuthoritiesOptions {
  /** Absent: the service issues time-stamps itself. */
  timeStamps?: Pick<HttpTimeStampOptions, 'urls' | 'trustAnchors' | 'policy'>
  http: OutboundHttp
  signingDevice: SigningDevice
  /**
   * Reaches public addresses alone, because a document of anyone chooses the address of a missing
   * issuer; `http` by default, for processes that verify nothing.
   */
  publicHttp?: OutboundHttp
  /** Called for validation data that is not available. */
  onUnknown(url: string, reason: string): void
  now(): Date
}

interface Authorities {
  timeStamps: TimeStampAuthority
  revocation: RevocationAuthorities
  issuers: IssuerCertificates
}

/** Opens the authorities of a process that signs and verifies. */
export function openAuthorities({
  timeStamps,
  http,
  publicHttp = http,
  signingDevice,
  onUnknown,
  now,
}: AuthoritiesOptions): Authorities {
  return {
    timeStamps: timeStamps
      ? new HttpTimeStampAuthorities({ http, ...timeStamps, now })
      : new LocalTimeStampAuthority(signingDevice, now),
    revocation: new HttpRevocationAuthorities({ http, now, onFailure: onUnknown }),
    issuers: new HttpIssuerCertificates({ http: publicHttp, now, onFailure: onUnknown }),
  }
}
