/**
 * Keys and authorities that replace the real ones while a signing is rehearsed. Nothing but a
 * rehearsal trusts them, and they exist only in the memory of the process.
 */
import { issueCertificate } from '../cms/certificate.ts'
import type { CertificateProfile } from '../cms/extensions.ts'
import { generateStandInKey, type StandInKey } from '../cms/keys.ts'
import { issueRevocationList } from '../cms/revocation-list.ts'
import { issueTimeStampToken } from '../cms/time-stamp.ts'
import type { Credential, SigningRequest } from './request.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Certificates that say so have revocation data, which a document that lasts must hold. */
const PUBLISHED_AT = { crlUrl: 'http://stand-in.invalid/list.crl' }
/** An arc for examples, which belongs to no organisation. */
const POLICY = '2.999'

export interface StandIns {
  /** DER of whom a verifier must trust. */
  readonly root: Uint8Array
  readonly credential: Credential
  readonly timeStamp: NonNullable<SigningRequest['timeStamp']>
  /** DER, of the root. */
  readonly revocationList: Uint8Array
}

/** An authority, who issues for itself, and one each of those who sign and stamp. */
export async function makeStandIns(at: Date): Promise<StandIns> {
  const notBefore = new Date(at.getTime() - DAY_MS)
  const notAfter = new Date(at.getTime() + DAY_MS)
  const rootKey = generateStandInKey()
  let serial = 0
  const issue = (
    commonName: string,
    profile: CertificateProfile,
    key: StandInKey,
    by?: Uint8Array,
  ) =>
    issueCertificate(
      {
        subject: { commonName },
        publicKeySpki: key.publicKeySpki,
        issuer: by,
        serialNumber: Uint8Array.of((serial += 1)),
        notBefore,
        notAfter,
        profile,
        algorithm: rootKey.algorithm,
        ...(by && { publishedAt: PUBLISHED_AT }),
      },
      (data) => rootKey.sign(data),
    )
  const root = await issue('Stand-in root', 'root', rootKey)
  const credentialFor = async (name: string, profile: CertificateProfile): Promise<Credential> => {
    const key = generateStandInKey()
    const certificates = [await issue(name, profile, key, root), root]
    return { certificates, algorithm: key.algorithm, sign: (data) => key.sign(data) }
  }
  const authority = await credentialFor('Stand-in authority', 'tsa')
  return {
    root,
    credential: await credentialFor('Stand-in', 'signer'),
    timeStamp: (messageImprint) =>
      issueTimeStampToken({
        ...authority,
        sign: async (data) => authority.sign(data),
        messageImprint,
        hash: 'sha256',
        policy: POLICY,
        serialNumber: Uint8Array.of(1),
        genTime: at,
      }),
    revocationList: await issueRevocationList(
      {
        issuer: root,
        algorithm: rootKey.algorithm,
        number: 1,
        thisUpdate: notBefore,
        nextUpdate: notAfter,
        revoked: [],
      },
      (data) => rootKey.sign(data),
    ),
  }
}
