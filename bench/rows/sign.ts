/** Rows `sign1`, `sign5` and `marginal`: signing with local keys. */
import { signDocument, type Credential } from '../../pades/index.ts'
import { LARGE, makePdf, SMALL } from '../inputs.ts'
import { alternate, repeated, type Contender } from '../measure.ts'
import type { SigningPeer } from '../peers/peer.ts'
import type { Figure, RowReport } from '../report.ts'
import {
  people,
  requestFor,
  sealCredential,
  sha256Pass,
  signingPeers,
  timeStamp,
} from '../signing.ts'
import { findBrokenSignature, findInvalidity, findLowerLevel } from '../validity.ts'

/** Repetitions, because one signature of a small file is too short to measure. */
const SMALL_REPEATS = 20
const MARGINAL_SIGNERS = 20

const milliseconds = (value: number) => `${value.toFixed(2)} ms`

function peerContenders(
  peers: readonly SigningPeer[],
  file: Uint8Array,
  credentials: readonly Credential[],
): Record<string, Contender> {
  return Object.fromEntries(
    peers.map((peer) => [peer.name, async () => void (await peer.sign(file, credentials))]),
  )
}

/** Finds the first contender with an invalid result, and the reason. */
async function invalidity(
  ours: () => Promise<Uint8Array>,
  peers: readonly SigningPeer[],
  file: Uint8Array,
  credentials: readonly Credential[],
): Promise<string | undefined> {
  const fault = await findInvalidity(await ours(), credentials.length)
  if (fault !== undefined) return fault
  for (const peer of peers) {
    const signed = await peer.sign(file, credentials)
    const peerFault = await findBrokenSignature(signed, credentials.length)
    if (peerFault !== undefined) return `${peer.name}: ${peerFault}`
  }
  return undefined
}

const faster = (peer: string, ratio: number, must: number, aim: number): Figure => ({
  of: `× faster than ${peer}`,
  value: ratio,
  better: 'more',
  must,
  aim,
})

export async function sign5(): Promise<RowReport> {
  const file = makePdf(LARGE)
  const signers = await people(4)
  const credentials = [...signers, sealCredential]
  const { present, absent } = await signingPeers()
  const ours = () => signDocument(file, requestFor(signers, true))
  const whole = async () => (await ours()).bytes
  const fault =
    (await invalidity(whole, present, file, credentials)) ?? (await findLowerLevel(await whole()))
  const times: Record<string, number> = await alternate({
    floor: sha256Pass(file),
    tail: async () => void (await ours()).tail,
    whole: async () => void (await whole()),
    ...peerContenders(present, file, credentials),
  })
  const { floor = 0, tail = 0, whole: wholeMs = 0 } = times
  return {
    measured:
      `${milliseconds(tail)} (whole file copied: ${milliseconds(wholeMs)},` +
      ` SHA-256 ${milliseconds(floor)})`,
    figures: [
      { of: '× one SHA-256 pass', value: tail / floor, better: 'less', must: 2, aim: 1.3 },
      ...present.map(({ name }) => faster(name, (times[name] ?? 0) / wholeMs, 10, 25)),
    ],
    skipped: absent,
    ...(fault === undefined ? {} : { void: fault }),
  }
}

export async function sign1(): Promise<RowReport> {
  const file = makePdf(SMALL)
  const signers = await people(1)
  const { present, absent } = await signingPeers()
  const ours = async () => (await signDocument(file, requestFor(signers, false))).bytes
  const fault = await invalidity(ours, present, file, signers)
  const times: Record<string, number> = await alternate({
    ours: repeated(SMALL_REPEATS, ours),
    ...peerContenders(present, file, signers),
  })
  const { ours: oursMs = 0 } = times
  return {
    measured: milliseconds(oursMs),
    figures: [
      { of: 'ms', value: oursMs, better: 'less', must: 2, aim: 1, informative: true },
      ...present.map(({ name }) => faster(name, (times[name] ?? 0) / oursMs, 5, 10)),
    ],
    skipped: absent,
    ...(fault === undefined ? {} : { void: fault }),
  }
}

/** Computes the time per additional signature, from many signatures and one. */
export async function marginal(): Promise<RowReport> {
  const file = makePdf(SMALL)
  const many = await people(MARGINAL_SIGNERS)
  const one = many.slice(0, 1)
  const sign = async (signers: readonly Credential[]) =>
    (await signDocument(file, requestFor(signers, false))).tail
  const fault = await findInvalidity(
    (await signDocument(file, requestFor(many, false))).bytes,
    MARGINAL_SIGNERS,
  )
  const times = await alternate({
    one: repeated(SMALL_REPEATS, () => sign(one)),
    many: repeated(SMALL_REPEATS / 4, () => sign(many)),
  })
  const stamped = async (signers: readonly Credential[]) =>
    (await signDocument(file, { ...requestFor(signers, false), timeStamp })).tail
  const [oneTail, manyTail] = [await stamped(one), await stamped(many)]
  const further = MARGINAL_SIGNERS - 1
  const perSignature = (times.many - times.one) / further
  const certificates = (many[0]?.certificates ?? []).reduce((sum, der) => sum + der.length, 0)
  // The reserved space has two hexadecimal digits for each byte.
  const octets = (manyTail.length - oneTail.length) / further - 2 * certificates
  const kilobytes = octets / 1024
  return {
    measured:
      `${milliseconds(perSignature)}; ${kilobytes.toFixed(1)} KB with appearance and time-stamp,` +
      ' without certificates',
    figures: [
      {
        of: 'ms each',
        value: perSignature,
        better: 'less',
        must: 0.3,
        aim: 0.15,
        informative: true,
      },
      { of: 'KB each', value: kilobytes, better: 'less', must: 12 },
    ],
    ...(fault === undefined ? {} : { void: fault }),
  }
}
