import t from 'tap'
import { TrustedListError } from '../../trusted-lists/errors.ts'
import {
  decodeSnapshot,
  encodeSnapshot,
  refreshSnapshot,
  snapshotState,
  type TrustedListSnapshot,
} from '../../trusted-lists/index.ts'
import {
  base64,
  listedCa,
  listOfListsText,
  type ListOptions,
  LISTS_NOW,
  listSigner,
  listText,
  LOTL_LOCATION,
  octetsOf,
  PUBLICATION,
  signList,
} from '../fixtures/trusted-lists.ts'
import type { Identity } from '../fixtures/pki.ts'

const commission = await listSigner('Commission')
const successor = await listSigner('Successor')
const slovak = await listSigner('SK operator')
const czech = await listSigner('CZ operator')
const ca = await listedCa('Test CA')
const SK = 'https://sk.example/tsl.xml'
const CZ = 'https://cz.example/tsl.xml'

const pointers = (euSigners: readonly Identity[] = [commission]) => [
  {
    territory: 'EU',
    location: LOTL_LOCATION,
    type: 'EUlistofthelists' as const,
    signers: euSigners.map(({ certificate }) => certificate),
  },
  { territory: 'SK', location: SK, signers: [slovak.certificate] },
  { territory: 'CZ', location: CZ, signers: [czech.certificate] },
]
const lotl = (options: ListOptions = {}, signer = commission) =>
  signList(
    listOfListsText({ uris: [PUBLICATION], pointers: pointers(), sequence: 388, ...options }),
    signer,
  )
const services = [{ certificates: [ca.certificate] }]
const national = (options: ListOptions = {}, signer = slovak) =>
  signList(listText({ services, ...options }), signer)

/** Everything good, by address. */
async function files(): Promise<Record<string, string>> {
  return {
    [LOTL_LOCATION]: await lotl(),
    [SK]: await national(),
    [CZ]: await national({ territory: 'CZ' }, czech),
  }
}

const kept = new Map<string, Uint8Array>()

function refresh(
  published: Record<string, string>,
  previous?: TrustedListSnapshot,
  options: { now?: Date; publication?: string; signers?: readonly Identity[] } = {},
): Promise<TrustedListSnapshot> {
  const { now = LISTS_NOW, publication, signers = [commission] } = options
  return refreshSnapshot({
    location: LOTL_LOCATION,
    anchors: {
      certificates: signers.map(({ certificate }) => certificate),
      ...(publication !== undefined && { publication }),
    },
    read: async ({ location }) => {
      const text = published[location]
      if (text === undefined) throw new Error('unreachable')
      return octetsOf(text)
    },
    keep: async (sha256, octets) => void kept.set(sha256, octets),
    previous,
    now,
  })
}

async function awaitCode(running: Promise<unknown>): Promise<string> {
  try {
    await running
    return 'none'
  } catch (error) {
    return error instanceof TrustedListError ? error.code : String(error)
  }
}

const listOf = (snapshot: TrustedListSnapshot, territory: string) =>
  snapshot.lists.find((it) => it.territory === territory)

t.test('a snapshot has every list, with the evidence of its signature', async (t) => {
  const snapshot = await refresh(await files())
  t.same(
    snapshot.lists.map(({ territory }) => territory),
    ['CZ', 'SK'],
  )
  t.match(snapshot.listOfLists, {
    location: LOTL_LOCATION,
    header: { sequence: 388, territory: 'EU' },
    signer: { certificate: base64(commission.certificate) },
    verifiedAt: LISTS_NOW.toISOString(),
  })
  const sk = listOf(snapshot, 'SK')
  t.match(sk, {
    problem: undefined,
    evidence: { location: SK, signer: { certificate: base64(slovak.certificate) } },
    services: [{ provider: 'Test Provider', certificates: [base64(ca.certificate)] }],
  })
  for (const evidence of [snapshot.listOfLists, sk?.evidence]) {
    t.ok(evidence && kept.has(evidence.sha256), 'the file is kept under its digest')
  }
  t.strictSame(decodeSnapshot(encodeSnapshot(snapshot)), snapshot)
})

t.test('a broken list leaves the others, and its own last good one, in force', async (t) => {
  const good = await refresh(await files())
  const all = await files()
  const newer = await national({ territory: 'CZ', sequence: 8 }, czech)
  const broken: Record<string, [string | undefined, string]> = {
    altered: [all[SK]?.replace('Test Provider', 'Best Provider'), 'SIGNATURE_WRONG'],
    cut: [all[SK]?.slice(0, 500), 'MALFORMED_XML'],
    away: [undefined, 'NOT_AVAILABLE'],
    'of another signer': [await national({ sequence: 9 }, czech), 'SIGNER_NOT_NAMED'],
    'of another territory': [await national({ territory: 'CZ' }), 'WRONG_LIST'],
    'of another type': [await national({ type: 'EUlistofthelists' }), 'WRONG_LIST'],
    'an older one': [await national({ sequence: 6 }), 'SEQUENCE_WENT_BACK'],
    'same sequence, older': [
      await national({ issueDate: '2026-04-01T10:00:00Z' }),
      'SEQUENCE_WENT_BACK',
    ],
    'from the future': [
      await national({ sequence: 8, issueDate: '2026-06-01T13:00:01Z' }),
      'ISSUED_IN_FUTURE',
    ],
    'of version 4': [await national({ version: 4 }), 'UNKNOWN_VERSION'],
  }
  for (const [name, [file, code]] of Object.entries(broken)) {
    const published: Record<string, string> = { ...all, [CZ]: newer }
    if (file === undefined) delete published[SK]
    else published[SK] = file
    const next = await refresh(published, good)
    t.strictSame(listOf(next, 'SK')?.evidence, listOf(good, 'SK')?.evidence, name)
    t.strictSame(listOf(next, 'SK')?.services, listOf(good, 'SK')?.services)
    t.match(listOf(next, 'SK')?.problem, { code, at: LISTS_NOW.toISOString() }, name)
    t.equal(listOf(next, 'CZ')?.evidence?.header.sequence, 8)
    t.match(snapshotState(next, LISTS_NOW).problems, [{ territory: 'SK', code }])
    const first = await refresh(published)
    const afterwards = code === 'SEQUENCE_WENT_BACK' ? 'accepted' : 'none'
    t.equal(listOf(first, 'SK')?.evidence ? 'accepted' : 'none', afterwards, `${name}, at first`)
    t.equal(listOf(await refresh(all, next), 'SK')?.problem, undefined, 'and heals')
  }
})

t.test('an unchanged list is not verified again, unless its signer is not named now', async (t) => {
  const good = await refresh(await files())
  const later = new Date('2026-06-02T12:00:00Z')
  const all = await files()
  const newer = { ...all, [SK]: await national({ sequence: 8 }) }
  const next = await refresh(newer, good, { now: later })
  t.equal(listOf(next, 'SK')?.evidence?.verifiedAt, later.toISOString())
  const unchanged = await refresh(publishedOf(good, all), good, { now: later })
  t.equal(listOf(unchanged, 'SK')?.evidence?.verifiedAt, LISTS_NOW.toISOString())
  const revoked = pointers().map((it) =>
    it.territory === 'SK' ? { ...it, signers: [czech.certificate] } : it,
  )
  const without = { ...publishedOf(good, all), [LOTL_LOCATION]: await lotl({ pointers: revoked }) }
  const after = await refresh(without, good, { now: later })
  t.equal(listOf(after, 'SK')?.problem?.code, 'SIGNER_NOT_NAMED')
})

t.test('a list ends when the list of lists does not name its signer any more', async (t) => {
  const forged = await national({ sequence: 9_999_999_999 })
  const good = await refresh({ ...(await files()), [SK]: forged })
  t.equal(listOf(good, 'SK')?.services.length, 1)
  const renewed = pointers().map((it) =>
    it.territory === 'SK' ? { ...it, signers: [successor.certificate] } : it,
  )
  const lists = { ...(await files()), [LOTL_LOCATION]: await lotl({ pointers: renewed }) }
  const during = await refresh({ ...lists, [SK]: forged }, good)
  t.strictSame(listOf(during, 'SK')?.services, [])
  t.equal(listOf(during, 'SK')?.evidence, undefined)
  t.equal(listOf(during, 'SK')?.problem?.code, 'SIGNER_NOT_NAMED')
  t.equal(listOf(during, 'CZ')?.problem, undefined)
  const next = { ...lists, [SK]: await national({ sequence: 10 }, successor) }
  for (const previous of [good, during]) {
    const after = await refresh(next, previous)
    t.match(listOf(after, 'SK'), { evidence: { header: { sequence: 10 } }, problem: undefined })
  }
})

t.test('an unchanged list is read again when its reader is another one', async (t) => {
  const good = await refresh(await files())
  const { reader, ...older } = good
  t.type(reader, 'number')
  const emptied = older.lists.map((it) => ({ ...it, services: [] }))
  const published = publishedOf(good, await files())
  const after = await refresh(published, { ...older, lists: emptied })
  t.equal(listOf(after, 'SK')?.services.length, 1)
  const same = await refresh(published, { ...good, lists: emptied })
  t.equal(listOf(same, 'SK')?.services.length, 0, 'the control: not read again')
})

/** The files that a snapshot was made of. */
function publishedOf({ lists }: TrustedListSnapshot, all: Record<string, string>) {
  const decoder = new TextDecoder()
  const found = lists.flatMap(({ evidence }) =>
    evidence ? [[evidence.location, decoder.decode(kept.get(evidence.sha256))] as const] : [],
  )
  return { ...all, ...Object.fromEntries(found) }
}

t.test('a list of lists that is refused ends the refresh', async (t) => {
  const all = await files()
  const good = await refresh(all)
  const of = (file: string) => ({ ...all, [LOTL_LOCATION]: file })
  t.equal(await awaitCode(refresh(of(await lotl({}, slovak)))), 'SIGNER_NOT_NAMED')
  t.equal(await awaitCode(refresh(of(await lotl({ sequence: 387 })), good)), 'SEQUENCE_WENT_BACK')
  t.equal(await awaitCode(refresh(of(await lotl({ territory: 'SK' })))), 'WRONG_LIST')
  const tampered = (await lotl()).replace(SK, 'https://evil.example/')
  t.equal(await awaitCode(refresh(of(tampered))), 'SIGNATURE_WRONG')
  t.equal(await awaitCode(refresh({})), 'Error: unreachable')
})

t.test('pivots lead from the anchors to today, and none may be left out', async (t) => {
  const first = 'https://lists.example/pivot-100.xml'
  const second = 'https://lists.example/pivot-200.xml'
  const uris = [second, first, PUBLICATION, 'https://lists.example/legal.xml']
  const all: Record<string, string> = {
    ...(await files()),
    [first]: await lotl({ sequence: 100, pointers: pointers([commission, slovak]) }),
    [second]: await lotl({ sequence: 200, pointers: pointers([successor]) }, slovak),
    [LOTL_LOCATION]: await lotl({ uris, pointers: pointers([successor]) }, successor),
  }
  const publication = { publication: PUBLICATION }
  const { pivots, listOfLists } = await refresh(all, undefined, publication)
  t.same(
    pivots.map(({ header }) => header.sequence),
    [100, 200],
  )
  t.equal(listOfLists.signer.certificate, base64(successor.certificate))
  const code = (changed: Record<string, string>, options = {}) =>
    awaitCode(refresh({ ...all, ...changed }, undefined, { ...publication, ...options }))
  const without: Record<string, string> = { ...all }
  delete without[first]
  t.equal(await awaitCode(refresh(without, undefined, publication)), 'Error: unreachable')
  // Signed by the anchor, whom the second pivot does not name any more.
  t.equal(await code({ [LOTL_LOCATION]: await lotl({ uris }) }), 'SIGNER_NOT_NAMED')
  t.equal(await code({ [second]: await lotl({ sequence: 99 }, slovak) }), 'SEQUENCE_WENT_BACK')
  t.equal(await code({ [first]: await lotl({ sequence: 100 }, successor) }), 'SIGNER_NOT_NAMED')
  t.equal(await code({}, { publication: 'https://journal.example/2031/1' }), 'ANCHORS_SUPERSEDED')
  t.equal(await code({}, { publication: second, signers: [successor] }), 'none')
})

t.test('a snapshot is stale when the list of lists or a national one is overdue', async (t) => {
  const short = await national({ nextUpdate: '2026-07-01T00:00:00Z' })
  const snapshot = await refresh({ ...(await files()), [SK]: short })
  const at = (instant: string) => snapshotState(snapshot, new Date(instant))
  t.match(at('2026-07-01T00:00:00Z'), { sequence: 388, stale: false, staleTerritories: [] })
  t.match(at('2026-07-01T00:00:00.001Z'), { stale: true, staleTerritories: ['SK'] })
  t.match(at('2026-10-01T10:00:01Z'), { stale: true, staleTerritories: ['CZ', 'SK'] })
  t.throws(() => decodeSnapshot(octetsOf('{}')), { code: 'NOT_A_TRUSTED_LIST' })
  t.throws(() => decodeSnapshot(octetsOf('{')), { code: 'NOT_A_TRUSTED_LIST' })
})
