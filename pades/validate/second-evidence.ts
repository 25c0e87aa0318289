/** Hands the second judge what our own reader knows of revocations, all of it as DER. */

import { readCertificate } from '../cms/certificate-reader.ts'
import { OcspResponse } from '../cms/ocsp-reader.ts'
import { readRevocationList, RevocationList } from '../cms/revocation-list-reader.ts'
import { PadesError } from '../errors.ts'
import type { Evidence } from '../second-judge/revocation.ts'
import { untilOf } from './security-store-reader.ts'
import type { Trust } from './time-stamps.ts'

/** The revocation data of a validation, and what has to be asked of our own reader. */
export const evidenceFrom = (trust: Trust): Evidence => ({
  ...trust.data,
  until: untilOf(trust.validationTime),
  otherKeys: (der) => trust.otherKeys(readCertificate(der)).map((one) => one.der),
  listIssuers: (list, issuer) => listIssuersOf(trust, list, issuer),
  directSources: (...question) => directSourcesOf(trust, ...question),
})

const derOf = ({ der }: RevocationList | OcspResponse): Uint8Array => der

/** What shows by itself that a certificate was not revoked, for the second judge. */
function directSourcesOf({ revocation }: Trust, der: Uint8Array, issuer: Uint8Array, at: Date) {
  const certificate = readCertificate(der)
  const sources = revocation.statusOf(certificate, readCertificate(issuer), at).directSources
  if (!sources) return undefined
  const lists = sources.filter((one) => one instanceof RevocationList)
  const answers = sources.filter((one) => one instanceof OcspResponse)
  return { revocationLists: lists.map(derOf), ocspResponses: answers.map(derOf) }
}

/** Paths of the issuers of a list, for the second judge. */
function listIssuersOf({ listIssuerPaths }: Trust, listDer: Uint8Array, issuer: Uint8Array) {
  try {
    const list = readRevocationList(listDer)
    const found = listIssuerPaths(list.issuer, list.thisUpdate, readCertificate(issuer))
    return found.map(({ path, checked }) => ({
      certificates: path.map(({ der }) => der),
      checked,
    }))
  } catch (error) {
    // The second judge may read a list that our own reader cannot read.
    if (error instanceof PadesError) return []
    throw error
  }
}
