import { Buffer } from 'node:buffer'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { inspect } from '../../../pades/pdf/inspect.ts'
import { file, HOSTILE_PDFS } from '../../fixtures/hostile-pdfs.ts'
import { buildPdf, type FileStructure, FIRST_EXTRA } from '../../fixtures/pdf.ts'

const outcome = (file: Uint8Array): string => {
  try {
    inspect(file)
    return 'read'
  } catch (error) {
    if (!(error instanceof PadesError)) throw error
    return error.code
  }
}

/** One that does not end runs into the time limit of the test file. */
for (const [name, [expected, build]] of Object.entries(HOSTILE_PDFS)) {
  t.test(`${name}: ends`, async (t) => {
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
