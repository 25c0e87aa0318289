import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { textOf } from '../../../pades/pdf/acro-form.ts'
import { IncrementalUpdate } from '../../../pades/pdf/incremental-update.ts'
import { inspect } from '../../../pades/pdf/inspect.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { isArray, PdfReference, PdfStream, type PdfValue } from '../../../pades/pdf/values.ts'
import { buildPdf, FIRST_EXTRA, FILE_STRUCTURES, withWrongStart } from '../../fixtures/pdf.ts'

const ID = Buffer.from('f0e0d0c0b0a090807060504030201000', 'hex')

/** What a cross-reference stream has beside the entries of a trailer. */
const SECTION_KEYS = new Set(['Type', 'W', 'Index', 'Length'])

/** Appends one revision in which `write` adds and replaces objects. */
function updated(original: Buffer, write: (update: IncrementalUpdate) => void): Buffer {
  return readDocument(original, (document) => {
    const update = new IncrementalUpdate(document)
    write(update)
    update.endRevision(ID)
    return Buffer.concat([original, update.tail])
  })
}

const valueIn = (file: Buffer, number: number): PdfValue =>
  readDocument(file, (document) => {
    if (document.repaired) throw new Error('the file needed a repair')
    return document.get(new PdfReference(number, 0))
  })

t.test('no more is appended than allowed', async (t) => {
  readDocument(buildPdf(), (document) => {
    const update = new IncrementalUpdate(document, 200_000)
    const value = 'x'.repeat(80_000)
    update.add(`(${value})`)
    update.add(`(${value})`)
    t.throws(() => update.add(`(${value})`), { code: 'LIMIT_EXCEEDED' })
    t.ok(update.tail.length <= 200_000)
  })
})

for (const structure of FILE_STRUCTURES) {
  t.test(`a revision behind a "${structure}" file reads back without repair`, async (t) => {
    const original = buildPdf({ structure, objects: ['(old)', '(kept)'] })
    const data = randomBytes(50)
    let added = 0
    const file = updated(original, (update) => {
      added = update.add('<< /Kind /Added >>', data)
      update.replace(new PdfReference(FIRST_EXTRA, 0), '4711')
    })
    t.ok(file.subarray(0, original.length).equals(original), 'the original is the prefix')
    t.match(inspect(file), { pageCount: 1, repaired: false })
    t.equal(valueIn(file, FIRST_EXTRA), 4711)
    t.equal(textOf(valueIn(file, FIRST_EXTRA + 1)), 'kept')
    readDocument(file, (document) => {
      const stream = document.get(new PdfReference(added, 0))
      t.ok(stream instanceof PdfStream)
      if (stream instanceof PdfStream) t.ok(document.decode(stream).equals(data))
      const kind = structure === 'stream' || structure === 'object-streams' ? 'stream' : 'table'
      t.equal(document.sections[0].kind, kind, 'the section is of the same kind')
      t.equal(document.sections.length, structure === 'linearized' ? 3 : 2)
      const id = document.array(document.trailer.get('ID'))
      t.ok(isArray(id))
      t.notOk(document.trailer.has('XRefStm'))
      t.ok(document.trailer.has('Info'))
    })
  })
}

t.test('entries of the trailer that others wrote stay', async (t) => {
  for (const structure of FILE_STRUCTURES) {
    const original = buildPdf({ structure, trailer: '/DocChecksum /A1 /Additional [1 0 R]' })
    readDocument(
      updated(original, (update) => update.add('1')),
      (document) => {
        const keys = [...document.sections[0].trailer.keys()].filter(
          (key) => !SECTION_KEYS.has(key),
        )
        t.same(keys.sort(), ['Additional', 'DocChecksum', 'ID', 'Info', 'Prev', 'Root', 'Size'])
      },
    )
  }
})

t.test('the first part of the identifier stays and the second is new', async (t) => {
  readDocument(
    updated(buildPdf(), (update) => update.add('1')),
    (document) => {
      const parts = (document.array(document.trailer.get('ID')) ?? []).map((part) =>
        Buffer.from((part as { bytes: Uint8Array }).bytes).toString('hex'),
      )
      t.same(parts, ['00112233445566778899aabbccddeeff', ID.toString('hex')])
    },
  )
  const source = buildPdf()
    .toString('latin1')
    .replace(/\/ID \[[^\]]*\]/, '')
  const withoutId = Buffer.from(source, 'latin1')
  readDocument(withoutId, (document) => {
    const update = new IncrementalUpdate(document)
    update.endRevision(ID)
    update.endRevision(Buffer.alloc(16, 1))
    const trailers =
      Buffer.from(update.tail)
        .toString('latin1')
        .match(/\/ID \[[^\]]*\]/g) ?? []
    t.equal(trailers[0], `/ID [<${ID.toString('hex')}> <${ID.toString('hex')}>]`)
    t.equal(trailers[1], `/ID [<${ID.toString('hex')}> <${'01'.repeat(16)}>]`)
  })
})

t.test('a file that does not end its last line gets the end first', async (t) => {
  for (const [eol, first] of [
    ['', '\n'],
    ['\n', '1'],
    ['\r\n', '1'],
  ] as const) {
    const original = buildPdf({ eol })
    const file = updated(original, (update) => update.add('true'))
    t.equal(file.toString('latin1', original.length, original.length + 1), first)
    t.match(inspect(file), { repaired: false })
  }
})

t.test('junk before the header keeps its way of counting', async (t) => {
  const file = updated(buildPdf({ junk: 'junk\n', objects: ['1'] }), (update) =>
    update.replace(new PdfReference(FIRST_EXTRA, 0), '2'),
  )
  t.match(inspect(file), { repaired: false, pageCount: 1 })
  t.equal(valueIn(file, FIRST_EXTRA), 2)
})

t.test('several revisions follow each other, and a rewound one leaves no trace', async (t) => {
  const original = buildPdf({ structure: 'stream', objects: ['1'] })
  const reference = new PdfReference(FIRST_EXTRA, 0)
  readDocument(original, (document) => {
    const write = (rewinding: boolean): Buffer => {
      const update = new IncrementalUpdate(document)
      update.replace(reference, '2')
      update.endRevision(ID)
      const mark = update.mark()
      if (rewinding) {
        update.add('(never)')
        update.replace(reference, '99')
        update.endRevision(Buffer.alloc(16, 7))
        update.rewind(mark)
      }
      update.replace(reference, '3')
      const { start, end } = update.endRevision(Buffer.alloc(16, 1))
      t.equal(end, original.length + update.tail.length)
      const revision = Buffer.from(update.view(start, end)).toString('latin1')
      t.ok(revision.startsWith(`${FIRST_EXTRA} 0 obj`))
      return Buffer.concat([original, update.tail])
    }
    const file = write(false)
    t.equal(valueIn(file, FIRST_EXTRA), 3)
    t.ok(write(true).equals(file))
  })
})

t.test('growth of the tail moves nothing', async (t) => {
  const big = randomBytes(300_000)
  const file = updated(buildPdf({ objects: ['1'] }), (update) => {
    for (let count = 0; count < 4; count += 1) update.add('<< >>', big)
    update.replace(new PdfReference(FIRST_EXTRA, 0), '2')
  })
  t.match(inspect(file), { repaired: false })
  t.equal(valueIn(file, FIRST_EXTRA), 2)
})

for (const structure of FILE_STRUCTURES) {
  t.test(
    `behind a damaged "${structure}" file, the first revision names every object`,
    async (t) => {
      const objects = ['(old)', '(kept)']
      const original = withWrongStart(buildPdf({ structure, pages: [{}, {}], objects }))
      t.match(inspect(original), { repaired: true })
      const file = updated(original, (update) =>
        update.replace(new PdfReference(FIRST_EXTRA, 0), '5'),
      )
      t.ok(file.subarray(0, original.length).equals(original))
      t.match(inspect(file), { pageCount: 2, repaired: false })
      t.equal(valueIn(file, FIRST_EXTRA), 5)
      t.equal(textOf(valueIn(file, FIRST_EXTRA + 1)), 'kept')
      readDocument(file, (document) => {
        t.equal(document.sections.length, 1)
        t.notOk(document.trailer.has('Prev'))
      })
    },
  )
}
