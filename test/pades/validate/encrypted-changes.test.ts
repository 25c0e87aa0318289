/** What later revisions of an encrypted document may change. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import type { CipherOwner } from '../../../pades/pdf/encryption/cipher.ts'
import { withStrings } from '../../../pades/pdf/encryption/source-strings.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { serialise } from '../../../pades/pdf/serialise.ts'
import { PdfReference } from '../../../pades/pdf/values.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { encryptedPdf, SCHEMES, WITHOUT_QPDF } from '../../fixtures/encrypted-pdf.ts'
import { appendRevision, buildPdf, startXref } from '../../fixtures/pdf.ts'
import { OPTIONS, signSample } from './sample.ts'

/** Numbers that neither the document nor its signatures use. */
const NEW = 900

/** An attacker has the key as everybody has it. */
function attackerOf(file: Buffer) {
  return readDocument(file, (document) => {
    const { cipher, trailer, catalog } = document
    const [page] = document.array(document.dictionary(catalog.get('Pages'))?.get('Kids')) ?? []
    if (!cipher || !(page instanceof PdfReference)) throw new Error('not encrypted')
    const entries = ['Root', 'Info', 'Encrypt', 'ID'].map(
      (key) => `/${key} ${serialise(trailer.get(key) ?? null)}`,
    )
    const encrypted = (owner: CipherOwner, source: string) =>
      withStrings(source, (bytes) => cipher.encrypt('strings', owner, bytes))
    const stream = (owner: CipherOwner, head: string, text: string) => {
      const data = Buffer.from(cipher.encrypt('streams', owner, Buffer.from(text)))
      return `<< ${head} /Length ${data.length} >>\nstream\\n${data.toString('latin1')}\nendstream`
    }
    const root = trailer.get('Root') as PdfReference
    const encryption = trailer.get('Encrypt') as PdfReference
    const sourceOf = (reference: PdfReference) => serialise(document.get(reference))
    return {
      page,
      root,
      encryption,
      encrypted,
      stream,
      sourceOf,
      trailer: entries.join(' '),
      /** The file with one more revision. */
      append: (objects: Record<number, string>, trailer = entries.join(' ')) =>
        appendRevision(file, objects, `/Size 1000 /Prev ${startXref(file)} ${trailer}`),
    }
  })
}

const owner = (number: number): CipherOwner => ({ number, generation: 0 })

/** Indication and errors of the first signature, and whether a change is not permitted. */
async function verdictOn(file: Buffer) {
  const { signatures, summary } = await validateSignatures(file, OPTIONS)
  const [first] = signatures
  return {
    name: first?.fieldName,
    indication: first?.indication,
    errors: first?.errors.map(({ key }) => key) ?? [],
    changes: first?.modifications.changes.filter(({ permitted }) => !permitted) ?? [],
    modified: summary.documentModifiedAfterSigning,
  }
}

const BASES = Object.entries(SCHEMES).filter(([name]) => !name.includes('filters'))

for (const [name, scheme] of BASES) {
  t.test(`changes of a document with ${name}`, { skip: WITHOUT_QPDF }, async (t) => {
    const signed = await signSample(encryptedPdf(buildPdf(), { scheme }))
    const attacker = attackerOf(signed)
    const { page, root, encryption, append, sourceOf, encrypted, stream } = attacker
    const isAes = name.startsWith('AES')

    t.match(await verdictOn(signed), { name: 'Janka', indication: 'TOTAL_PASSED' })
    // An object that nothing shows, and the same catalog with its strings encrypted anew.
    t.match(await verdictOn(append({ [NEW]: encrypted(owner(NEW), '(more)') })), {
      indication: 'TOTAL_PASSED',
    })
    const again = encrypted(owner(root.number), sourceOf(root))
    t.match(await verdictOn(append({ [root.number]: again })), { indication: 'TOTAL_PASSED' })

    const content = {
      [NEW]: stream(owner(NEW), '', 'BT /F1 18 Tf 72 700 Td (Other) Tj ET'),
      [page.number]: sourceOf(page).replace(/\/Contents \d+ 0 R/, `/Contents ${NEW} 0 R`),
    }
    const replaced = await verdictOn(append(content))
    t.match(replaced, { indication: 'INDETERMINATE', modified: 'notPermitted' })

    const plainStream = '<< /Length 5 >>\nstream\n0 0 m\nendstream'
    const metadata = plainStream.replace('<<', '<< /Type /Metadata /Subtype /XML')
    const differing: Record<number, string>[] = [
      { [NEW]: plainStream.replace('<<', '<< /Type /XRef') },
      { [NEW]: plainStream.replace('<<', '<< /Filter /Crypt') },
      // Without authentication of the data, RC4 decrypts anything.
      ...(isAes ? [{ [NEW]: plainStream }, { [NEW]: '<< /Note (not encrypted) >>' }] : []),
      // Readers differ in whether Contents of something that is not a signature is encrypted.
      { [NEW]: encrypted(owner(NEW), '<< /Subtype /Text /Contents (a) /ByteRange [0 1] >>') },
      { [NEW]: encrypted(owner(NEW), '<< /Type /Sig /Contents (a) /ByteRange [0 1] >>') },
      { [NEW]: `<< /Other ${encryption.number} 0 R >>` },
      ...(isAes ? [{ [NEW]: metadata, [NEW + 1]: `<< /Metadata ${NEW} 0 R >>` }] : []),
    ]
    for (const objects of differing) {
      const { indication, errors } = await verdictOn(append(objects))
      t.equal(indication, 'INDETERMINATE')
      t.ok(errors.includes('LATER_REVISION_AMBIGUOUS'), JSON.stringify(objects))
    }

    // Another encryption, or none, or another identifier.
    const changed = sourceOf(encryption).replace(/\/P -\d+/, '/P -8')
    t.not((await verdictOn(append({ [encryption.number]: changed }))).indication, 'TOTAL_PASSED')
    const trailers = [
      attacker.trailer.replace(/\/Encrypt \d+ 0 R/, ''),
      attacker.trailer.replace(/\/Encrypt \d+ 0 R/, `/Encrypt ${NEW} 0 R`),
      attacker.trailer.replace(/\/ID \[<../, '/ID [<ff'),
      attacker.trailer.replace(/\/ID \[.*?\]/, ''),
    ]
    for (const trailer of trailers) {
      const verdict = await verdictOn(append({}, trailer))
      t.match(verdict, { name: '', indication: 'INDETERMINATE' })
      t.ok(verdict.errors.includes('DOCUMENT_ENCRYPTED'))
    }
  })
}
