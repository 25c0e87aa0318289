import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { inspect } from '../../../pades/pdf/inspect.ts'
import { buildPdf, type FileStructure, FIRST_EXTRA } from '../../fixtures/pdf.ts'

/** Far above what any of these files takes, far below what an endless one would. */
const TIME_LIMIT_MS = 1_000
const SIZE = 4 * 1024 * 1024

const outcome = (file: Uint8Array): string => {
  const start = performance.now()
  let result = 'read'
  try {
    inspect(file)
  } catch (error) {
    if (!(error instanceof PadesError)) throw error
    result = error.code
  }
  const elapsedMs = performance.now() - start
  return elapsedMs < TIME_LIMIT_MS ? result : `took ${Math.round(elapsedMs)} ms`
}

const filled = (pattern: string, size = SIZE) => Buffer.alloc(size, pattern, 'latin1')
const file = (...parts: readonly (string | Uint8Array)[]) =>
  Buffer.concat(
    ['%PDF-1.7\n', ...parts].map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
    ),
  )
const START = '\nstartxref\n9\n%%EOF\n'
const ROOT = '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj '
const TRAILER = ' trailer<</Root 1 0 R>>'
const xrefStream = (entries: string, data: Buffer) =>
  file(
    `1 0 obj<</Type/XRef/Root 2 0 R/Length ${data.length} ${entries}>>stream\n`,
    data,
    '\nendstream endobj',
    START,
  )
const numbered = (count: number, source: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => source(index + 3)).join('')

const ATTACKS: Readonly<Record<string, readonly [expected: string, build: () => Buffer]>> = {
  'nothing but zeros': ['DAMAGED', () => file(filled('\0'))],
  'nothing but spaces': ['DAMAGED', () => file(filled(' '), START)],
  'more objects than are supported': ['TOO_MANY_OBJECTS', () => file(filled('1 0 obj '))],
  'arrays within arrays': ['LIMIT_EXCEEDED', () => file('1 0 obj ', filled('['), TRAILER)],
  'dictionaries within dictionaries': [
    'LIMIT_EXCEEDED',
    () => file('1 0 obj ', filled('<</A'), TRAILER),
  ],
  'a million empty dictionaries': [
    'LIMIT_EXCEEDED',
    () => file('1 0 obj<</Type/Catalog/Pages[', filled('<<>>'), ']>>endobj', TRAILER),
  ],
  'a page tree that contains itself': [
    'LIMIT_EXCEEDED',
    () => file(ROOT, '2 0 obj<</Kids[', filled('2 0 R '), ']>>endobj', TRAILER),
  ],
  'a page tree without end': [
    'LIMIT_EXCEEDED',
    () =>
      file(
        ROOT,
        '2 0 obj<</Kids[3 0 R]>>endobj ',
        numbered(50_000, (n) => `${n} 0 obj<</Kids[${n + 1} 0 R]>>endobj `),
        TRAILER,
      ),
  ],
  'trailers within strings': ['DAMAGED', () => file(ROOT, filled('trailer('))],
  'trailers within trailers': ['DAMAGED', () => file(ROOT, filled('trailer<<'))],
  'objects within strings': [
    'LIMIT_EXCEEDED',
    () =>
      file(
        ROOT,
        `2 0 obj<</Kids[${numbered(90_000, (n) => `${n} 0 R `)}]>>endobj `,
        numbered(90_000, (n) => `${n} 0 obj (`),
        TRAILER,
      ),
  ],
  'object streams without data': [
    'LIMIT_EXCEEDED',
    () => file(numbered(90_000, (n) => `${n} 0 obj<</Type/ObjStm/N 1/First 1>>stream\n`)),
  ],
  'subsections without entries': ['DAMAGED', () => file('xref\n', filled('0 0 '), TRAILER, START)],
  'subsections of one entry': [
    'DAMAGED',
    () => file('xref\n', filled('5 1\n0000000009 00000 n \n'), TRAILER, START),
  ],
  'more entries promised than the file has bytes': [
    'DAMAGED',
    () => file('xref\n0 99999999999\n', filled('0000000009 00000 n \n'), TRAILER, START),
  ],
  'a section that leads to itself': [
    'DAMAGED',
    () => file('xref\n0 0\ntrailer<</Root 1 0 R/Prev 9>>', START),
  ],
  'a cross-reference stream that inflates a thousandfold': [
    'LIMIT_EXCEEDED',
    () => xrefStream('/W[1 4 1]/Size 70000000/Filter/FlateDecode', deflateSync(filled('\0', 50e6))),
  ],
  'a cross-reference stream deflated twice': [
    'LIMIT_EXCEEDED',
    () =>
      xrefStream(
        '/W[1 4 1]/Size 70000000/Filter[/FlateDecode/FlateDecode]',
        deflateSync(deflateSync(filled('\0', 200e6))),
      ),
  ],
  'entries without width': [
    'DAMAGED',
    () => xrefStream('/W[0 0 0]/Size 99999999', Buffer.alloc(9)),
  ],
  'entries of immense width': ['DAMAGED', () => xrefStream('/W[9 9 9]/Size 9', Buffer.alloc(900))],
  'predictor rows of immense width': [
    'LIMIT_EXCEEDED',
    () =>
      xrefStream(
        '/W[1 4 1]/Size 9/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 99999999999>>',
        deflateSync(Buffer.alloc(99)),
      ),
  ],
  'a name without end': [
    'LIMIT_EXCEEDED',
    () => file(ROOT, '2 0 obj<</Type/', filled('A#42'), '>>endobj', TRAILER),
  ],
  'escaped names without end': [
    'LIMIT_EXCEEDED',
    () => file(ROOT, '2 0 obj<<', filled('/#41'), '>>endobj', TRAILER),
  ],
  'comments without end': ['DAMAGED', () => file('1 0 obj ', filled('%\n'), TRAILER)],
  'a form field that contains itself': [
    'read',
    () =>
      buildPdf({
        catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] >>`,
        objects: [`<< /T (a) /Kids [${FIRST_EXTRA} 0 R ${FIRST_EXTRA} 0 R] >>`],
      }),
  ],
}
for (const [name, [expected, build]] of Object.entries(ATTACKS)) {
  t.test(`${name}: ends soon`, async (t) => {
    t.equal(outcome(build()), expected)
  })
}

t.test('what comes after a reference to itself is null', async (t) => {
  const circle = `${FIRST_EXTRA} 0 R`
  t.equal(outcome(buildPdf({ catalog: `/AcroForm ${circle}`, objects: [circle] })), 'read')
})

t.test('an object stream whose length lies within itself is read by its keyword', async (t) => {
  const packed = '5 0 6 3 99 <</Type/Catalog/Pages<</Kids[]>>>>'
  const start = file(
    `1 0 obj<</Type/ObjStm/N 2/First 8/Length 5 0 R>>stream\n${packed}\n`,
    'endstream endobj\n',
  )
  const entries = [
    [0, 0, 0],
    [1, 9, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [2, 1, 0],
    [2, 1, 1],
  ]
  const stream = '9 0 obj<</Type/XRef/W[1 1 1]/Size 7/Root 6 0 R/Length 21>>stream\n'
  const end = `\nendstream endobj\nstartxref\n${start.length}\n%%EOF`
  const whole = Buffer.concat([
    start,
    Buffer.from(stream),
    Buffer.from(entries.flat()),
    Buffer.from(end),
  ])
  t.equal(inspect(whole).repaired, false)
})

/** A generator of equal numbers in every run (Numerical Recipes). */
function pseudoRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const KEYWORDS = [
  'xref',
  'obj',
  '/Prev',
  '/Size',
  '/Kids',
  '/W',
  '/Index',
  'startxref',
  'trailer',
  '/Length',
  'stream',
  '/Type',
  '/Root',
  '/N ',
  '/First',
  '/Count',
]

function mutated(original: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(original)
  const spot = (): number => {
    const keyword = KEYWORDS[random(KEYWORDS.length)]
    const found = copy.indexOf(keyword, random(copy.length))
    return Math.min(copy.length - 1, Math.max(0, found) + random(keyword.length + 8))
  }
  const at = spot()
  switch (random(5)) {
    case 0:
      for (let count = random(20); count >= 0; count -= 1) {
        copy[random(copy.length)] ^= 1 << random(8)
      }
      return copy
    case 1:
      return copy.subarray(0, random(copy.length))
    case 2: {
      const garbage = Buffer.from(Array.from({ length: random(60) }, () => random(256)))
      return Buffer.concat([copy.subarray(0, at), garbage, copy.subarray(at)])
    }
    case 3:
      for (let count = random(6); count >= 0; count -= 1) copy[spot()] = 0x30 + random(10)
      return copy
    default:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + random(200))])
  }
}

const MUTATIONS = 1_000
for (const structure of ['table', 'stream', 'object-streams', 'hybrid', 'linearized'] as const) {
  t.test(`${MUTATIONS} mutations of a "${structure}" file are read or refused`, async (t) => {
    const random = pseudoRandom(structure.length)
    const original = mutationBase(structure)
    const outcomes = new Map<string, number>()
    for (let count = 0; count < MUTATIONS; count += 1) {
      const result = outcome(mutated(original, random))
      outcomes.set(result, (outcomes.get(result) ?? 0) + 1)
    }
    t.ok((outcomes.get('read') ?? 0) > MUTATIONS / 4, 'most small faults are forgiven')
    t.ok((outcomes.get('read') ?? 0) < MUTATIONS, 'some are not')
    t.notOk(
      [...outcomes.keys()].some((key) => key.startsWith('took')),
      'none takes long',
    )
  })
}

function mutationBase(structure: FileStructure): Buffer {
  return buildPdf({
    structure,
    pages: [{ rotate: 90 }, { cropBox: [10, 10, 90, 90] }],
    catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] >>`,
    objects: [`<< /FT /Sig /T (a) /V ${FIRST_EXTRA + 1} 0 R >>`, '<< /Type /Sig >>'],
  })
}
