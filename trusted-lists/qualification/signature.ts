/**
 * Determines the qualification of signatures and time-stamps: the matrix of ETSI TS 119 615, 4.6
 * and 4.7.
 */
import type { Certificate, Indication } from '../../pades/index.ts'
import type { TrustedLists } from '../trusted-services.ts'
import { type CertificateQualification, qualifyCertificate } from './certificate.ts'

/** Level of a valid signature; `QES…` needs a qualified certificate and a qualified device. */
export type SignatureLevel =
  'QESig' | 'QESeal' | 'AdESig-QC' | 'AdESeal-QC' | 'AdES-QC' | 'AdESig' | 'AdESeal' | 'AdES'

/** `NA`: the signature is not valid, or no listed service issued its certificate. */
export type SignatureQualificationLevel = SignatureLevel | `Indeterminate-${SignatureLevel}` | 'NA'

export interface SignatureQualification {
  level: SignatureQualificationLevel
  atIssuance: CertificateQualification
  atBestSignatureTime: CertificateQualification
}

type Combined = Pick<CertificateQualification, 'qualified' | 'type' | 'qscd'>

/** Must be qualified both at issuance and at signing; the device counts at signing. */
function combined(
  atIssuance: CertificateQualification,
  atBestSignatureTime: CertificateQualification,
): Combined {
  const qualified = atIssuance.qualified && atBestSignatureTime.qualified
  const isSame = atIssuance.type === atBestSignatureTime.type
  return {
    qualified,
    type: isSame ? atBestSignatureTime.type : 'unknown',
    qscd: qualified && atBestSignatureTime.qscd,
  }
}

/** The matrix. A certificate for web sites never makes a qualified signature. */
function matrix({ qualified, type, qscd }: Combined): SignatureLevel {
  if (type === 'web') return 'AdES'
  if (type === 'unknown') return qualified ? 'AdES-QC' : 'AdES'
  if (!qualified) return `Ad${type === 'eSig' ? 'ESig' : 'ESeal'}`
  if (type === 'eSig') return qscd ? 'QESig' : 'AdESig-QC'
  return qscd ? 'QESeal' : 'AdESeal-QC'
}

/**
 * Returns the level of a signature from its indication and the qualification of its certificate at
 * both instants.
 */
export function signatureLevel(
  indication: Indication,
  atIssuance: CertificateQualification,
  atBestSignatureTime: CertificateQualification,
): SignatureQualificationLevel {
  const isListed = atIssuance.level !== 'NA' || atBestSignatureTime.level !== 'NA'
  if (indication === 'TOTAL_FAILED' || !isListed) return 'NA'
  const level = matrix(combined(atIssuance, atBestSignatureTime))
  return indication === 'TOTAL_PASSED' ? level : `Indeterminate-${level}`
}

/**
 * Qualifies a signature by its certificate at issuance (`notBefore`) and at best signature time.
 *
 * @param issuers further certificates that may be its issuers, such as those of its path
 */
export function qualifySignature(
  signature: {
    certificate: Certificate
    issuers: readonly Certificate[]
    indication: Indication
    bestSignatureTime: Date
  },
  lists: TrustedLists,
): SignatureQualification {
  const { certificate, issuers, indication, bestSignatureTime } = signature
  const atIssuance = qualifyCertificate(certificate, issuers, lists, certificate.notBefore)
  const atBestSignatureTime = qualifyCertificate(certificate, issuers, lists, bestSignatureTime)
  return {
    level: signatureLevel(indication, atIssuance, atBestSignatureTime),
    atIssuance,
    atBestSignatureTime,
  }
}

/** `QTSA`: of a qualified time-stamp service; `NA`: no listed service issued it. */
export type TimeStampQualification = 'QTSA' | 'TSA' | 'NA'

/**
 * Qualifies a time-stamp at its production time.
 *
 * @param certificate of the time-stamp unit
 * @param issuers further certificates that may be its issuers
 */
export function qualifyTimeStamp(
  certificate: Certificate,
  issuers: readonly Certificate[],
  lists: TrustedLists,
  productionTime: Date,
): TimeStampQualification {
  const behind = lists.servicesBehind(certificate, issuers, productionTime, 'time-stamp')
  const isQualified = behind.some(
    ({ state }) =>
      state.type === 'TSA/QTST' && state.status === 'granted' && !state.hasUnknownCritical,
  )
  if (isQualified) return 'QTSA'
  return behind.length > 0 ? 'TSA' : 'NA'
}
