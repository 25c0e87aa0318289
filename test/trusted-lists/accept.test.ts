/** Real lists of the EU: the good ones verify, the broken one does not; they form a snapshot. */
import { Buffer } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readAnchors } from '../../adapters/trusted-lists/anchors.ts'
import { FileTrustedLists } from '../../adapters/trusted-lists/file-source.ts'
import { CORPUS } from '../fixtures/corpus.ts'
import { readSignedData } from '../../pades/cms/signed-data-reader.ts'
import { acceptListOfLists, type Anchors } from '../../trusted-lists/accept.ts'
import { TrustedListError } from '../../trusted-lists/errors.ts'
import {
  encodeSnapshot,
  qualifySignature,
  refreshSnapshot,
  snapshotState,
  TrustedLists,
  type TrustedListSnapshot,
} from '../../trusted-lists/index.ts'

const folder = join(CORPUS, 'trusted-lists')
const skip = existsSync(folder) ? false : 'no corpus folder'

const octets = (name: string) => new Uint8Array(readFileSync(join(folder, name)))
const LOTL = 'https://ec.europa.eu/tools/lotl/eu-lotl.xml'
const JOURNAL_2019 =
  'https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=uriserv:OJ.C_.2019.276.01.0001.01.ENG'
const JOURNAL_2026 = 'https://eur-lex.europa.eu/eli/C/2026/1944/oj'
const NOW = new Date('2026-06-20T12:00:00Z')

/** The certificates of 2019, one to a file. */
const anchors2019 = () => ({
  certificates: [1, 2, 3, 4, 5, 6, 7, 8].flatMap((number) =>
    readAnchors(join(folder, 'oj', `ec.europa.eu.${number}.cer`)),
  ),
  publication: JOURNAL_2019,
})
const anchors2026 = () => ({
  certificates: readAnchors(join(folder, 'oj', 'latest.cert.pem')),
  publication: JOURNAL_2026,
})

const accept = (name: string, anchors: Anchors = anchors2019()) =>
  acceptListOfLists({
    file: { location: LOTL, octets: octets(name) },
    read: async ({ location }) => octets(location.slice(location.lastIndexOf('/') + 1)),
    anchors,
    previous: undefined,
    now: NOW,
  })

t.test(
  'the journal of 2019 leads over every pivot to the lists until 2024',
  { skip },
  async (t) => {
    const { pivots, listOfLists } = await accept('eu-lotl-pivot-341.xml')
    const { listOfLists: earlier } = await accept('eu-lotl-seq332-2023.xml')
    t.same(
      [...pivots, listOfLists, earlier].map(({ evidence: { header, signer } }) => [
        header.sequence,
        // As other software prints them.
        signer.sha256.slice(0, 8),
      ]),
      [
        [282, 'd2064fdd'],
        [300, 'd2064fdd'],
        [335, 'f7e8e4e5'],
        [341, 'e0a620fb'],
        [341, 'e0a620fb'],
        [332, 'f7e8e4e5'],
      ],
    )
  },
)

t.test('the list of 2026 needs its journal, or the pivot that is not here', { skip }, async (t) => {
  const { listOfLists, pivots } = await accept('eu-lotl.xml', anchors2026())
  t.match(listOfLists.list.header, { sequence: 388, version: 6, territory: 'EU' })
  t.same(pivots, [])
  await t.rejects(accept('eu-lotl.xml'), { code: 'ENOENT' })
})

t.test('the list with the broken signature is refused', { skip }, async (t) => {
  // It was issued before the journal, and names neither it nor a pivot.
  const { certificates } = anchors2019()
  await t.rejects(accept('eu-lotl-broken-sig.xml', { certificates }), { code: 'SIGNATURE_WRONG' })
})

async function loadSnapshot(
  lotl: string,
  anchors: ReturnType<typeof anchors2019>,
): Promise<TrustedListSnapshot> {
  const files = new FileTrustedLists(folder, anchors)
  return refreshSnapshot({
    location: lotl,
    anchors,
    read: (list) => files.read(list),
    keep: async () => {},
    previous: undefined,
    now: NOW,
  })
}

/** The certificate of a signature in a PDF by the start of its subject, and those beside it. */
function readSigner(file: string, subject: string) {
  const pdf = readFileSync(join(CORPUS, 'pdf-validation', file), 'latin1')
  const containers = [...pdf.matchAll(/\/Contents\s*<([0-9A-Fa-f]{200,})>/g)].map(([, hex]) =>
    readSignedData(new Uint8Array(Buffer.from(`${hex}`, 'hex'))),
  )
  const issuers = containers.flatMap(({ certificates }) => certificates)
  const certificate = issuers.find(({ commonName }) => commonName === subject)
  if (!certificate) throw new Error(`${file} has no ${subject}`)
  return { certificate, issuers, indication: 'TOTAL_PASSED' as const }
}

function qualifiesRealSigners(t: Test, before: TrustedLists, recent: TrustedLists): void {
  for (const [file, name, lists, level] of [
    ['pades-same-border-annotations.pdf', 'Ing. Roman Vrba', before, 'QESig'],
    ['wrong-digest-algo.pdf', 'Ing. Rudolf Tonner', before, 'AdESig-QC'],
    [
      'protected__edition_protected_signing_allowed_with_field_signed.pdf',
      'Pierrick Vandenbroucke (Signature)',
      recent,
      'QESig',
    ],
    ['wrong-digest-algo.pdf', 'PostSignum TSA - TSU 2', before, 'AdES'],
  ] as const) {
    const signer = readSigner(file, name)
    const bestSignatureTime = signer.certificate.notBefore
    t.equal(qualifySignature({ ...signer, bestSignatureTime }, lists).level, level, name)
  }
}

const accepted = ({ lists }: TrustedListSnapshot) =>
  lists.flatMap(({ territory, evidence }) => (evidence ? [territory] : []))

t.test(
  'national lists of 2023 and 2026 are accepted by the pointers of their time',
  { skip },
  async (t) => {
    const recent = await loadSnapshot('eu-lotl.xml', anchors2026())
    t.ok(accepted(recent).includes('BE'))
    t.match(recent.lists.find(({ territory }) => territory === 'BE')?.evidence?.header, {
      version: 6,
      sequence: 81,
    })
    t.match(recent.lists.find(({ territory }) => territory === 'DE')?.problem, {
      code: 'NOT_AVAILABLE',
    })
    const old = await loadSnapshot('eu-lotl-seq332-2023.xml', anchors2019())
    for (const territory of ['AT', 'CZ', 'SK']) t.ok(accepted(old).includes(territory), territory)
    const lists = new TrustedLists(old)
    const anchors = lists.anchors(new Date('2023-11-01T00:00:00Z'), 'signature')
    t.ok(anchors.length > 50)
    t.ok(anchors.some(({ country, status }) => country === 'SK' && status === 'granted'))
    t.match(snapshotState(old, NOW), { sequence: 332, stale: true })
    qualifiesRealSigners(t, lists, new TrustedLists(recent))
    t.comment(
      `${accepted(old).join()} and ${accepted(recent).join()};` +
        ` ${anchors.length} anchors, ${encodeSnapshot(old).length} octets`,
    )
  },
)

t.test('an octet that is changed anywhere in a real list is noticed', { skip }, async (t) => {
  const good = octets('eu-lotl-pivot-282.xml')
  const anchors = anchors2019()
  for (let at = 997; at < good.length; at += 120_013) {
    const bad = Uint8Array.from(good)
    bad[at] = (bad[at] as number) ^ 1
    const running = acceptListOfLists({
      file: { location: LOTL, octets: bad },
      read: async () => good,
      anchors,
      previous: undefined,
      now: NOW,
    })
    await t.rejects(running, TrustedListError, `octet ${at}`)
  }
})
