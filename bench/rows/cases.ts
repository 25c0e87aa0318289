/**
 * Row `cases`: POST /cases to the API process, compared with creating the same resources at the API
 * server directly plus one signature, because the response contains a signed bucket URL.
 */
import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { FINALIZER } from '../../domain/cases/complete.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'
import type { LocalCluster } from '../../dev/cluster/local.ts'
import { CASE_INPUT } from '../case-input.ts'
import { countCases, resourceOf } from '../cluster/cases.ts'
import { endControllers, onCluster, OTHER_TENANT } from '../cluster/on-cluster.ts'
import { senderTo, type Target } from '../cluster/requests.ts'
import { flood } from '../flood.ts'
import { alternate } from '../measure.ts'
import type { Figure, RowReport } from '../report.ts'

const REQUESTS_PER_ROUND = 256
const FEW = 16
const MANY = 64
/** Key size of service accounts in bits. */
const MODULUS_BITS = 2048
/** Approximate length of the signed text of a URL. */
const SIGNED_OCTETS = 400

async function targetsOf(cluster: LocalCluster): Promise<{ bare: Target; api: Target }> {
  const { url, plane, token } = cluster
  const api = {
    url: `${url}/cases`,
    token: await token(TENANT),
    status: 200,
    body: () => CASE_INPUT,
  }
  const body = () => {
    const resource = resourceOf({ tenant: OTHER_TENANT, caseId: randomUUID() })
    const metadata = { ...resource.metadata, finalizers: [FINALIZER] }
    return JSON.stringify({ ...resource, metadata })
  }
  const path = `/apis/sigcase.dev/v1/namespaces/${OTHER_TENANT}/signaturecases`
  const bare = { url: plane.url + path, token: plane.adminToken, ca: plane.ca, status: 201, body }
  return { bare, api }
}

function urlSigner(): () => Promise<unknown> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: MODULUS_BITS })
  const signed = randomBytes(SIGNED_OCTETS)
  return () => promisify(sign)('sha256', signed, privateKey)
}

async function compare(cluster: LocalCluster): Promise<RowReport> {
  // Another row measures the work of the controller.
  await endControllers(cluster)
  const { bare, api } = await targetsOf(cluster)
  let sent = 0
  const floodOf = (target: Target, inFlight: number, andThen?: () => Promise<unknown>) => {
    const send = senderTo(target, inFlight)
    return () => {
      sent += REQUESTS_PER_ROUND
      return flood(REQUESTS_PER_ROUND, inFlight, async () => {
        await send()
        await andThen?.()
      })
    }
  }
  const signUrl = urlSigner()
  const times = await alternate({
    fewBare: floodOf(bare, FEW),
    fewFloor: floodOf(bare, FEW, signUrl),
    few: floodOf(api, FEW),
    manyBare: floodOf(bare, MANY),
    manyFloor: floodOf(bare, MANY, signUrl),
    many: floodOf(api, MANY),
  })
  const there = await countCases(cluster.admin)
  const perSecond = (milliseconds: number) => Math.round(1000 / milliseconds)
  const figure = (inFlight: number, value: number, must: number): Figure => ({
    of: `× creating and signing at ${inFlight}`,
    value,
    better: 'more',
    must,
    aim: 0.8,
  })
  return {
    measured:
      `${perSecond(times.few)} and ${perSecond(times.many)} cases/s at ${FEW} and ${MANY} ` +
      `(bare ${perSecond(times.fewBare)} and ${perSecond(times.manyBare)}/s, with a signature ` +
      `${perSecond(times.fewFloor)} and ${perSecond(times.manyFloor)}/s)`,
    figures: [
      figure(FEW, times.fewFloor / times.few, 0.6),
      figure(MANY, times.manyFloor / times.many, 0.75),
    ],
    ...(there === sent ? {} : { void: `${there} of ${sent} cases are there` }),
  }
}

export async function cases(): Promise<RowReport> {
  return onCluster({ workers: [] }, compare)
}
