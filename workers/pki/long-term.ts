/** Long-term validation data: revocation data of the service's authorities and of others. */
import { REVOCATION_LIST_MAXIMUM_AGE_MS } from '../../domain/limits.ts'
import {
  readCertificate,
  type LongTermRequest,
  type RevocationData,
  type RevocationQuestion,
} from '../../pades/index.ts'
import type { WorkerDeps } from '../deps.ts'
import { ownAuthorities } from './authorities.ts'
import { currentRevocationList, type RevocationListDeps } from './revocation-list.ts'

export type LongTermDeps = RevocationListDeps & Pick<WorkerDeps, 'timeStamps' | 'revocation'>

/** Field name of the document time-stamp. */
export const ARCHIVE_FIELD_NAME = 'sigcase-archive'

/** Returns the DER revocation lists of the service's own authorities. */
async function ownLists(deps: RevocationListDeps): Promise<readonly Uint8Array[]> {
  const own = await ownAuthorities(deps.signingDevice)
  const lists = own.map(async (authorities) => [
    await currentRevocationList(authorities, deps, REVOCATION_LIST_MAXIMUM_AGE_MS),
    ...authorities.rootLists,
  ])
  return (await Promise.all(lists)).flat()
}

async function questionsToOthers(
  questions: readonly RevocationQuestion[],
  { signingDevice }: Pick<WorkerDeps, 'signingDevice'>,
): Promise<RevocationQuestion[]> {
  const authorities = await ownAuthorities(signingDevice)
  const own = new Set(
    authorities.flatMap(({ root, issuing }) => [
      root.certificate.sha256,
      issuing.certificate.sha256,
    ]),
  )
  return questions.filter(({ issuer }) => !own.has(readCertificate(issuer).sha256))
}

/**
 * Fetches revocation data of the service's own authorities, if questions concern them, and of
 * others.
 */
export async function revocationDataFor(
  questions: readonly RevocationQuestion[],
  deps: RevocationListDeps & Pick<WorkerDeps, 'revocation'>,
): Promise<RevocationData> {
  const others = await questionsToOthers(questions, deps)
  const [lists, foreign] = await Promise.all([
    others.length < questions.length ? ownLists(deps) : [],
    others.length > 0 ? deps.revocation.ask(others) : { revocationLists: [], ocspResponses: [] },
  ])
  return { ...foreign, revocationLists: [...lists, ...foreign.revocationLists] }
}

/**
 * Builds the request for signatures with long-term validation data. The service's own lists are
 * fetched while others still sign.
 *
 * @throws Error when time-stamp authorities fail; when keys or stores fail, `revocation` fails
 */
export async function longTermRequest(deps: LongTermDeps): Promise<LongTermRequest> {
  const lists = ownLists(deps)
  // Awaited when the signatures are made; avoids an unhandled rejection.
  lists.catch(() => undefined)
  return {
    fieldName: ARCHIVE_FIELD_NAME,
    certificates: await deps.timeStamps.trustAnchors(),
    async revocation(questions) {
      const others = await questionsToOthers(questions, deps)
      const foreign =
        others.length > 0
          ? await deps.revocation.ask(others)
          : { revocationLists: [], ocspResponses: [] }
      return {
        revocationLists: [...(await lists), ...foreign.revocationLists],
        ocspResponses: foreign.ocspResponses,
      }
    },
  }
}
