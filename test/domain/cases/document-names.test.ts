/** The names under which documents are saved (specification 4.8, 6.2). */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { documentNames } from '../../../domain/cases/document-names.ts'

t.test('documents are named after the title', async (t) => {
  t.same(documentNames('Zmluva o dielo'), {
    original: 'Zmluva o dielo.pdf',
    signed: 'Zmluva o dielo-signed.pdf',
    evidence: 'Zmluva o dielo-evidence.pdf',
  })
})

t.test('what a file system does not take becomes a space', async (t) => {
  t.equal(documentNames(' ../a\\b: "c"\r\n\u202Efdp.exe ').signed, 'a b c fdp.exe-signed.pdf')
  for (const title of ['...', '///', ' \n', '"']) {
    t.equal(documentNames(title).original, 'document.pdf')
  }
})

t.test('the longest title leaves room for its ending, whatever its letters', async (t) => {
  for (const letter of ['a', 'ž', '漢', '👍']) {
    const { evidence } = documentNames(letter.repeat(255))
    t.match(evidence, new RegExp(`^(${letter})+-evidence\\.pdf$`, 'u'))
    t.ok(Buffer.byteLength(evidence) <= 220 && Buffer.byteLength(evidence) > 205, evidence)
  }
})
