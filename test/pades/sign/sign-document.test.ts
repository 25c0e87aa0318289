import { Buffer } from 'node:buffer'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import t from 'tap'
import { readDrawing } from '../../../pades/appearance/drawing.ts'
import { importKey } from '../../../pades/cms/keys.ts'
import { PadesError } from '../../../pades/errors.ts'
import { inspect } from '../../../pades/pdf/inspect.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { readPages } from '../../../pades/pdf/page-tree.ts'
import type { Credential, SignerRequest, SigningRequest } from '../../../pades/sign/request.ts'
import { HashedFile } from '../../../pades/sign/running-digests.ts'
import { signDocument } from '../../../pades/sign/sign-document.ts'
import {
  type Identity,
  identity,
  issuingCa,
  janka,
  lubos,
  NOW,
  seal as sealIdentity,
  signer as issue,
  stamp,
  trustAnchors,
} from '../../fixtures/pki.ts'
import { buildPdf, FILE_STRUCTURES } from '../../fixtures/pdf.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { readSignatures } from './signed-pdf.ts'

const drawing = readDrawing('M 5 25 C 20 0 25 50 40 20 S 60 0 80 30 L 95 10')

const credentialOf = ({ certificates, algorithm, sign }: Identity): Credential => ({
  certificates,
  algorithm,
  sign,
})

const place = (page = 1) =>
  ({ page, x: 0.1, y: 0.1, width: 0.3, height: 0.1, unit: 'fraction' }) as const

const signer = (name: string, identity: Identity, more: Partial<SignerRequest> = {}) => ({
  fieldName: `field of ${name}`,
  name,
  places: [place()],
  appearance: { drawing, lines: [name, '2026-06-01 12:00 UTC'] },
  credential: () => credentialOf(identity),
  ...more,
})

const request = (more: Partial<SigningRequest> = {}): SigningRequest => ({
  signers: [signer('Janka Žltá', janka), signer('Ľuboš Šťastný', lubos, { reason: 'Súhlasím' })],
  seal: { fieldName: 'seal', name: 'Service', credential: credentialOf(sealIdentity) },
  sealedAt: NOW,
  timeStamp: (digest) => stamp(digest),
  ...more,
})

const rejection = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error instanceof PadesError ? error.code : error
  }
  return undefined
}

for (const structure of FILE_STRUCTURES) {
  t.test(`two signers and the seal sign a "${structure}" file`, async (t) => {
    const original = buildPdf({ structure })
    const untouched = Buffer.from(original)
    const signed = await signDocument(original, request())
    const bytes = Buffer.from(signed.bytes)
    t.ok(original.equals(untouched))
    t.ok(bytes.equals(Buffer.concat([original, signed.tail])), 'the original is the prefix')
    t.equal(signed.bytes, signed.bytes, 'put together once')
    t.equal(signed.sha256, createHash('sha256').update(bytes).digest('hex'))
    t.match(inspect(bytes), { signatures: 3, repaired: false, pageCount: 1 })
    const signatures = readSignatures(bytes)
    t.same(
      signatures.map(({ isValid, hasTimeStamp, subFilter }) => [isValid, hasTimeStamp, subFilter]),
      Array(3).fill([true, true, 'ETSI.CAdES.detached']),
    )
    t.same(
      signatures.map(({ name }) => name),
      ['Janka Žltá', 'Ľuboš Šťastný', 'Service'],
    )
    t.same(
      signatures.map(({ byteRange }) => byteRange),
      signed.revisions.map((r) => r.byteRange),
    )
    for (const { byteRange, endOffset } of signed.revisions) {
      t.equal(byteRange[2] + byteRange[3], endOffset, 'a signature covers its whole revision')
      t.equal(bytes.toString('latin1', endOffset - 6, endOffset), '%%EOF\n')
    }
    t.equal(signed.revisions[2].endOffset, bytes.length)
    t.match(signed.revisions[0].certificateSerial, /^[0-9a-f]{2,40}$/)
  })
}

t.test('a serial number has one form, here and in the report', async (t) => {
  for (const [octets, text] of [
    [[0xff, 0x01], 'ff01'],
    [[0x00, 0x8a, 0x00], '8a00'],
    [[0x0a], '0a'],
  ] as const) {
    const one = await identity({ issuer: issuingCa, serialNumber: new Uint8Array(octets) })
    const signed = await signDocument(buildPdf(), request({ signers: [signer('One', one)] }))
    t.equal(signed.revisions[0].certificateSerial, text)
    const { signatures } = await validateSignatures(signed.bytes, {
      trustAnchors,
      validationTime: NOW,
    })
    t.equal(signatures[0]?.signer?.serialNumber, text)
  }
})

t.test('signing goes on from a file that was hashed before, any number of times', async (t) => {
  const file = new HashedFile(buildPdf())
  t.equal(file.sha256, createHash('sha256').update(file.bytes).digest('hex'))
  for (let round = 0; round < 2; round++) {
    const { bytes, sha256 } = await signDocument(file, request())
    t.equal(sha256, createHash('sha256').update(bytes).digest('hex'))
    t.ok(readSignatures(bytes).every(({ isValid }) => isValid))
  }
})

t.test('each signature changes only its own field and adds what belongs to it', async (t) => {
  const signed = await signDocument(buildPdf(), request())
  readDocument(signed.bytes, (document) => {
    const [seal, second, first, fields] = document.sections.map(({ subsections }) =>
      subsections.flatMap(({ first: start, count }) =>
        Array.from({ length: count }, (_, index) => start + index),
      ),
    )
    const earlier = new Set(fields)
    for (const revision of [first, second, seal]) {
      t.equal(revision.filter((number) => earlier.has(number)).length, 1)
      for (const number of revision) earlier.add(number)
    }
    t.equal(seal.length, 2, 'an invisible signature has no appearance')
  })
})

t.test('revision 1 holds every field, unsigned, and no signature', async (t) => {
  const { bytes, revisions } = await signDocument(buildPdf(), request())
  const source = Buffer.from(bytes).toString('latin1')
  const end = source.indexOf('%%EOF', source.indexOf('%%EOF') + 5) + '%%EOF\n'.length
  const first = bytes.subarray(0, end)
  t.ok(end < revisions[0].byteRange[1])
  t.match(inspect(first), { signatures: 0, acroForm: true, repaired: false })
  const names = source.slice(0, end).match(/\/FT \/Sig/g) ?? []
  t.equal(names.length, 3)
})

const annotationsOf = (bytes: Uint8Array) =>
  readDocument(bytes, (document) =>
    readPages(document).map(({ dictionary }) =>
      (document.array(dictionary.get('Annots')) ?? []).map((item) => {
        const annotation = document.dictionary(item)
        return [document.name(annotation?.get('Subtype')), document.integer(annotation?.get('F'))]
      }),
    ),
  )

t.test('further rectangles are stamps that cannot be moved', async (t) => {
  const places = [place(2), place(1), place(2)]
  const signers = [signer('Janka Žltá', janka, { places })]
  const original = buildPdf({ pages: [{}, {}] })
  const { bytes, revisions } = await signDocument(original, request({ signers }))
  t.same(annotationsOf(bytes), [
    [
      ['Stamp', 708],
      ['Widget', 132],
    ],
    [
      ['Widget', 132],
      ['Stamp', 708],
    ],
  ])
  t.equal(revisions.length, 2)
})

t.test(
  'on a signed document further rectangles are signatures, and earlier ones stay',
  async (t) => {
    const once = await signDocument(buildPdf({ pages: [{}, {}] }), request())
    const signers = [signer('Janka Žltá', janka, { places: [place(1), place(2)] })]
    const twice = await signDocument(once.bytes, request({ signers }))
    t.same(
      twice.revisions.map(({ fieldName }) => fieldName),
      ['field of Janka Žltá-2', 'field of Janka Žltá-3', 'seal-2'],
    )
    const signatures = readSignatures(twice.bytes)
    t.equal(signatures.length, 6)
    t.ok(signatures.every(({ isValid }) => isValid))
    t.ok(Buffer.from(signatures[3].certificate).equals(signatures[4].certificate), 'the same key')
    t.notOk(
      annotationsOf(twice.bytes)
        .flat()
        .some(([subtype]) => subtype === 'Stamp'),
    )
  },
)

t.test('full stops in a field name do not make a tree of fields', async (t) => {
  const fieldName = 'a.b'
  const signers = [signer('x', janka, { fieldName }), signer('y', lubos, { fieldName })]
  const { revisions } = await signDocument(buildPdf(), request({ signers }))
  t.same(
    revisions.map(({ fieldName }) => fieldName),
    ['a-b', 'a-b-2', 'seal'],
  )
})

t.test('a damaged file is signed so that readers need no repair', async (t) => {
  const source = buildPdf({ structure: 'object-streams' }).toString('latin1')
  const original = Buffer.from(source.replace(/startxref\n\d+/, 'startxref\n5'), 'latin1')
  t.match(inspect(original), { repaired: true })
  const { bytes } = await signDocument(original, request())
  t.match(inspect(bytes), { repaired: false, signatures: 3 })
  t.ok(Buffer.from(bytes).subarray(0, original.length).equals(original))
  t.ok(readSignatures(bytes).every(({ isValid }) => isValid))
})

t.test('without a time-stamp authority the signatures are of level B-B', async (t) => {
  const { bytes } = await signDocument(buildPdf(), request({ timeStamp: undefined }))
  t.same(
    readSignatures(bytes).map(({ isValid, hasTimeStamp }) => [isValid, hasTimeStamp]),
    Array(3).fill([true, false]),
  )
})

t.test('the seal alone signs, too', async (t) => {
  const { bytes, revisions } = await signDocument(buildPdf(), request({ signers: [] }))
  t.equal(revisions.length, 1)
  t.ok(readSignatures(bytes)[0].isValid)
})

const generateKey = (kind: 'rsa' | 'ec') => {
  const { privateKey } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-384' })
  return importKey(privateKey.export({ type: 'pkcs8', format: 'der' }))
}

t.test('signers with other keys sign the same document', async (t) => {
  const rsa = await issue('RSA', { key: generateKey('rsa') })
  const p384 = await issue('P-384', { key: generateKey('ec') })
  const signers = [signer('p384', p384), signer('rsa', rsa), signer('p256', janka)]
  const { bytes } = await signDocument(buildPdf(), request({ signers }))
  const signatures = readSignatures(bytes)
  t.equal(signatures.length, 4)
  t.ok(signatures.every(({ isValid }) => isValid))
})

/** A time-stamp authority whose tokens have the sizes given, the last one from then on. */
function buildAuthority(sizes: readonly number[]) {
  const digests: string[] = []
  const timeStamp = async (digest: Uint8Array) => {
    const size = sizes[Math.min(digests.length, sizes.length - 1)]
    digests.push(Buffer.from(digest).toString('hex'))
    // What fills the token does not matter to the place that it takes.
    const token = await stamp(digest)
    const padding = Buffer.alloc(size - token.length - 8)
    const content = Buffer.concat([token, octets(padding)])
    return Buffer.concat([Buffer.from([0x30, 0x83, ...threeBytes(content.length)]), content])
  }
  return { digests, timeStamp }
}
const threeBytes = (length: number) => [length >> 16, (length >> 8) & 0xff, length & 0xff]
const octets = (content: Buffer) =>
  Buffer.concat([Buffer.from([0x04, 0x83, ...threeBytes(content.length)]), content])

t.test('a token larger than its place is asked for once more, the next ones are not', async (t) => {
  const { digests, timeStamp } = buildAuthority([30_000])
  const signed = await signDocument(buildPdf(), request({ timeStamp }))
  t.equal(digests.length, 4)
  t.equal(new Set(digests).size, 4, 'a new revision has a new signature')
  t.match(inspect(signed.bytes), { signatures: 3, repaired: false })
  const ends = Buffer.from(signed.tail).toString('latin1').match(/%%EOF/g) ?? []
  t.equal(ends.length, 4, 'the revision that was too small is gone')
})

t.test('an authority whose tokens grow without end is given up', async (t) => {
  const { digests, timeStamp } = buildAuthority([20_000, 40_000, 80_000, 160_000])
  t.equal(await rejection(signDocument(buildPdf(), request({ timeStamp }))), 'HOLE_TOO_SMALL')
  t.equal(digests.length, 3)
})

t.test('the place for later tokens is measured by the first one', async (t) => {
  const { timeStamp } = buildAuthority([2_900])
  const { revisions } = await signDocument(buildPdf(), request({ timeStamp }))
  const holes = revisions.map(({ byteRange }) => byteRange[2] - byteRange[1])
  t.ok(holes[1] < holes[0] - 2_000)
})

t.test('credentials are asked for once each, together, before anybody signs', async (t) => {
  const events: string[] = []
  const slow = (name: string, identity: Identity) =>
    signer(name, identity, {
      credential: async () => {
        events.push(`asked ${name}`)
        await Promise.resolve()
        const { sign, ...rest } = credentialOf(identity)
        return { ...rest, sign: (data) => (events.push(`signed ${name}`), sign(data)) }
      },
    })
  await signDocument(buildPdf(), request({ signers: [slow('a', janka), slow('b', lubos)] }))
  t.same(events, ['asked a', 'asked b', 'signed a', 'signed b'])
})

t.test('a credential or a key that fails is the error of the signing', async (t) => {
  const failure = new Error('no key today')
  const failing = signer('a', janka, { credential: () => Promise.reject(failure) })
  t.equal(await rejection(signDocument(buildPdf(), request({ signers: [failing] }))), failure)
  const broken = signer('b', janka, {
    credential: () => ({ ...credentialOf(janka), sign: () => Promise.reject(failure) }),
  })
  t.equal(await rejection(signDocument(buildPdf(), request({ signers: [broken] }))), failure)
})

t.test('what cannot be signed is refused before any credential is asked for', async (t) => {
  let asked = 0
  const refused = async (file: Uint8Array, more: Partial<SignerRequest> = {}) => {
    const credential = () => {
      asked += 1
      return credentialOf(janka)
    }
    const signers = [signer('a', janka, { credential, ...more })]
    return rejection(signDocument(file, request({ signers })))
  }
  t.equal(await refused(buildPdf({ trailer: '/Encrypt << >>' })), 'ENCRYPTED')
  t.equal(await refused(randomBytes(2_000)), 'NOT_A_PDF')
  t.equal(await refused(buildPdf({ pages: [] })), 'NO_PAGES')
  t.equal(await refused(buildPdf(), { places: [place(2)] }), 'PAGE_MISSING')
  t.equal(await refused(buildPdf(), { places: [] }), 'BAD_PLACEMENT')
  t.equal(await refused(buildPdf(), { places: [{ ...place(), width: 0 }] }), 'BAD_PLACEMENT')
  t.equal(await refused(buildPdf(), { places: [{ ...place(), x: Number.NaN }] }), 'BAD_PLACEMENT')
  t.equal(asked, 0)
  const nobody = request({ signers: [], seal: undefined })
  t.equal(await rejection(signDocument(buildPdf(), nobody)), 'NO_SIGNERS')
})

t.test('equal requests give equal revisions up to the first signature', async (t) => {
  const [one, other] = await Promise.all([0, 1].map(() => signDocument(buildPdf(), request())))
  const start = one.revisions[0].byteRange[1]
  t.ok(Buffer.from(one.bytes.subarray(0, start)).equals(other.bytes.subarray(0, start)))
})
