/** Documents that qpdf encrypted are opened without a password, or refused with a reason. */
import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { textOf } from '../../../../pades/pdf/acro-form.ts'
import type { PdfDocument } from '../../../../pades/pdf/document.ts'
import { assertSignable, inspect } from '../../../../pades/pdf/inspect.ts'
import { readDocument } from '../../../../pades/pdf/open.ts'
import { readPages } from '../../../../pades/pdf/page-tree.ts'
import { PdfStream } from '../../../../pades/pdf/values.ts'
import { encryptedPdf, SCHEMES, WITHOUT_QPDF } from '../../../fixtures/encrypted-pdf.ts'
import { ROOT } from '../../../fixtures/source-tree.ts'
import { appendRevision, buildPdf, startXref } from '../../../fixtures/pdf.ts'

const STRUCTURES = {
  plain: [],
  'object streams': ['--object-streams=generate'],
  'linearized object streams': ['--linearize', '--object-streams=generate'],
} as const

const titleOf = (document: PdfDocument) =>
  textOf(document.resolve(document.dictionary(document.trailer.get('Info'))?.get('Title')))

function contentOf(document: PdfDocument): string {
  const stream = document.resolve(readPages(document)[0]?.dictionary.get('Contents'))
  return stream instanceof PdfStream ? document.decode(stream).toString('latin1') : ''
}

/** The sentence with which a document is refused. */
function refusal(pdf: Uint8Array): string {
  try {
    assertSignable(inspect(pdf))
    return 'signable'
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return code === 'ENCRYPTED' ? message : `${code}`
  }
}

t.test('strings and streams are decrypted', { skip: WITHOUT_QPDF }, async (t) => {
  for (const [name, scheme] of Object.entries(SCHEMES)) {
    for (const [structure, args] of Object.entries(STRUCTURES)) {
      const pdf = encryptedPdf(buildPdf(), { scheme, args })
      t.notOk(pdf.includes('Fixture'), `${name}, ${structure}: qpdf encrypted it`)
      readDocument(pdf, (document) => {
        t.equal(titleOf(document), 'Fixture', `${name}, ${structure}`)
        t.match(contentOf(document), 'BT /F1 18 Tf 72 700 Td (Page 1) Tj ET')
      })
      t.match(inspect(pdf), { encrypted: true, pageCount: 1, encryption: { permissions: -4 } })
      t.equal(refusal(pdf), 'signable')
    }
  }
})

t.test('plain metadata are refused', { skip: WITHOUT_QPDF }, async (t) => {
  for (const bits of [['128', '--use-aes=y'], ['256']]) {
    const pdf = encryptedPdf(buildPdf(), { scheme: [...bits, '--cleartext-metadata'] })
    t.match(refusal(pdf), /a method that is not supported/)
  }
})

/** Two texts of one page, by the reader; what each file does is in its name. */
const ATTACKS: Readonly<Record<string, RegExp>> = {
  'two-keys': /contradict/,
  'real-version': /not supported/,
  'real-revision': /not supported/,
  'real-permissions': /not supported/,
  'glyph-as-metadata': /not supported/,
  'pattern-as-metadata': /not supported/,
  'object-stream-as-metadata': /not supported/,
  damaged: /damaged/,
}

t.test('what readers decrypt differently is refused', async (t) => {
  const read = (name: string) =>
    readFileSync(join(ROOT, 'test/fixtures/encrypted-attacks', `${name}.pdf`))
  for (const [name, reason] of Object.entries(ATTACKS)) t.match(refusal(read(name)), reason, name)
  t.equal(refusal(read('one-key-twice')), 'signable', 'both empty passwords give one key')
})

t.test('a document that is not encrypted has no encryption', async (t) => {
  const plain = buildPdf()
  t.equal(inspect(plain).encryption, undefined)
  t.equal(refusal(plain), 'signable')
})

t.test('a refusal says which bits forbid signing', { skip: WITHOUT_QPDF }, async (t) => {
  const allowing = (modify: string, scheme: readonly string[] = SCHEMES['AES, 256 bits']) =>
    refusal(encryptedPdf(buildPdf(), { scheme: [...scheme, `--modify=${modify}`] }))
  t.equal(allowing('all'), 'signable')
  t.match(allowing('annotate'), /do not allow changes \(bit 4\); upload/)
  t.match(allowing('form'), /changes \(bit 4\) or comments and forms \(bit 6\)/)
  t.match(allowing('none'), /changes \(bit 4\) or comments and forms \(bit 6\)/)
  t.match(allowing('none', SCHEMES['RC4, 128 bits']), /bit 4.*bit 6/)
  const annotates = encryptedPdf(buildPdf(), { scheme: ['40', '--annotate=n'] })
  t.match(refusal(annotates), /do not allow comments and forms \(bit 6\); upload/)
})

t.test('a password is needed', { skip: WITHOUT_QPDF }, async (t) => {
  for (const scheme of Object.values(SCHEMES)) {
    const pdf = encryptedPdf(buildPdf(), { scheme, userPassword: 'secret' })
    t.match(refusal(pdf), /^The PDF opens only with a password;/)
    t.match(inspect(pdf), { encrypted: true, pageCount: 0, encryption: { reason: 'PASSWORD' } })
  }
})

/** A document with an entry of its encryption dictionary, or of its trailer, changed in place. */
const edited = (pdf: Buffer, from: RegExp, to: string): Buffer => {
  const text = pdf.toString('latin1')
  const [found] = from.exec(text) ?? []
  if (found === undefined || found.length < to.length) throw new Error(`${from} is not there`)
  return Buffer.from(text.replace(found, to.padEnd(found.length)), 'latin1')
}

t.test('methods that not everybody reads are refused', { skip: WITHOUT_QPDF }, async (t) => {
  const aes = encryptedPdf(buildPdf(), { scheme: SCHEMES['AES, 128 bits'] })
  const shortRc4 = encryptedPdf(buildPdf(), { scheme: SCHEMES['RC4, 40 bits'] })
  const methods: readonly [Buffer, string | RegExp][] = [
    [edited(aes, /\/Filter \/Standard/, '/Filter /PubSec'), /for certain recipients/],
    [edited(aes, /\/V 4/, '/V 3'), /with a method that is not supported/],
    [edited(aes, /\/R 4/, '/R 9'), /with a method that is not supported/],
    [edited(aes, /\/CFM \/AESV2/, '/CFM /None'), /with a method that is not supported/],
    [edited(aes, /\/AuthEvent \/DocOpen/, '/AuthEvent /EFOpen'), /not supported/],
    [edited(aes, /\/StrF \/StdCF/, '/EFF /Odd'), /not supported/],
    [edited(aes, /\/StrF \/StdCF/, ''), /not every PDF program supports/],
    [
      edited(edited(aes, /\/StrF \/StdCF/, ''), /\/StmF \/StdCF/, ''),
      /not every PDF program supports/,
    ],
    [edited(shortRc4, /\/Length 40/, '/Length 56'), /with a method that is not supported/],
    [encryptedPdf(buildPdf(), { scheme: ['256', '--force-R5'] }), /not every PDF program supports/],
    [edited(aes, /\/O <../, '/O <'), /contradict each other/],
    [edited(aes, /\/U <..../, '/U <0000'), /only with a password/],
    [edited(aes, /\/ID \[<..../, '/ID [<0000'), /only with a password/],
    [edited(aes, /\/P -4/, '/P -5'), /only with a password/],
  ]
  for (const [pdf, sentence] of methods) t.match(refusal(pdf), sentence, String(sentence))
})

t.test('permissions that the key does not seal are refused', { skip: WITHOUT_QPDF }, async (t) => {
  const scheme = [...SCHEMES['AES, 256 bits'], '--modify=annotate']
  const pdf = encryptedPdf(buildPdf(), { scheme })
  t.match(refusal(pdf), /bit 4/)
  t.match(refusal(edited(pdf, /\/P -12/, '/P -4')), /contradict each other/)
})

t.test('all revisions must name one encryption', { skip: WITHOUT_QPDF }, async (t) => {
  for (const scheme of [SCHEMES['AES, 128 bits'], SCHEMES['AES, 256 bits']]) {
    const pdf = encryptedPdf(buildPdf(), { scheme })
    const source = pdf.toString('latin1')
    const [entry = ''] = /\/Encrypt \d+ 0 R/.exec(source) ?? []
    const [id = ''] = /\/ID \[<[^\]]*\]/.exec(source) ?? []
    const root = /\/Root \d+ 0 R/.exec(source)?.[0] ?? ''
    const revised = (trailer: string) =>
      refusal(appendRevision(pdf, {}, `/Size 99 ${root} /Prev ${startXref(pdf)} ${trailer}`))
    t.equal(revised(`${entry} ${id}`), 'signable')
    t.match(revised(id), /contradict/, 'the newest trailer lacks the entry')
    t.match(revised(`/Encrypt 98 0 R ${id}`), /contradict/, 'it names another object')
    t.match(revised(`${entry} /ID [<00> <00>]`), /contradict/, 'it has another identifier')
    const plain = buildPdf()
    const before = `/Size 99 /Root 1 0 R /Prev ${startXref(plain)} /Encrypt 2 0 R`
    t.match(refusal(appendRevision(plain, {}, before)), /contradict/)
  }
})

t.test('a damaged file is not decrypted by guesses', { skip: WITHOUT_QPDF }, async (t) => {
  const pdf = edited(encryptedPdf(buildPdf()), /startxref\n\d+/, 'startxref\n7')
  t.match(refusal(pdf), /both encrypted and damaged/)
})
