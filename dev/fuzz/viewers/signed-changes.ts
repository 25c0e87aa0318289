/** Later revisions that carry a genuine signature or time-stamp, and honest ones that must pass. */
import { Buffer } from 'node:buffer'
import { augmentDocument, readDrawing, signDocument } from '../../../pades/index.ts'
import type { Random } from '../../../test/fixtures/mutations.ts'
import { longTerm, lubos, NOW, publishedStamp, seal, stamp } from '../../../test/fixtures/pki.ts'
import { add, BLACK, BLACK_FORM, pick } from './attacker.ts'
import { type Base, objectsOf } from './base.ts'
import { FEATURE_CHANGES } from './feature-changes.ts'
import { FILE_CHANGES } from './file-changes.ts'
import { fillSignature, planSeparateField, planSignature, planSignedField } from './genuine.ts'
import { type Change, OBJECT_CHANGES, rewrite } from './object-changes.ts'
import type { Area } from './raster.ts'
import { EMPTY_FIELD_AREA } from './shapes.ts'
import { emptyPlan, type Plan, streamOf, writeRevision } from './revision.ts'

/** A mutated document. */
export interface Mutant {
  readonly bytes: Buffer
  /** Areas of new honest signatures, in which the picture may differ. */
  readonly allowed?: readonly Area[]
}

export type MakeMutant = (base: Base, random: Random) => Promise<Mutant> | Mutant

const DRAWING = readDrawing('M0 20 C20 0 40 40 60 20 S100 0 120 20')
/** In fractions of the first page. */
const PLACE = { x: 0.02, y: 0.85, width: 0.2, height: 0.1 }

const ZERO_RECTANGLE = '/Rect [0 0 0 0]'
/** On the lower half of the page, below the price. */
const OWN_RECTANGLE = [10, 10, 110, 60] as const
/** The same as an area of the small documents, which measure 300 by 200 points. */
const OWN_AREA: Area = { page: 0, x: 10 / 300, y: 140 / 200, width: 100 / 300, height: 50 / 200 }

/** C5: a document time-stamp, genuine, in a field that paints. */
async function visibleTimeStamp(base: Base, random: Random): Promise<Mutant> {
  const plan = emptyPlan(base.form)
  const look = add(plan, base, streamOf(BLACK, BLACK_FORM))
  const paints = pick(
    [
      `/Rect [10 50 290 190] /AP << /N ${look} 0 R >>`,
      `${ZERO_RECTANGLE} /AP << /N ${look} 0 R >>`,
      '/Rect [10 50 290 190] /MK << /BG [0 0 0] >>',
      '/Rect [10 50 290 190] /MK << /BC [0 0 0] >> /BS << /W 50 >>',
      '/Rect [10 50 290 190] /Border [0 0 50]',
      '/Rect [10 50 290 190] /DA (/F1 60 Tf 0 g)',
      '/Rect [290 190 10 50] /MK << /BG [0] >>',
      '/MK << /BG [0] >>',
      ZERO_RECTANGLE,
    ],
    random,
  )
  planSignedField(plan, base, 'time-stamp', `${paints} /F 4`, `Stamp ${random(1_000)}`)
  const bytes = writeRevision(base, plan)
  return { bytes: await fillSignature(bytes, 'time-stamp', base.bytes.length) }
}

/** Optional entries of a signature field. */
function paintsOf(plan: Plan, base: Base, random: Random): string {
  const look = add(plan, base, streamOf(BLACK, BLACK_FORM))
  const small = '/Type /XObject /Subtype /Form /BBox [0 0 10 10]'
  const wide = add(plan, base, streamOf(BLACK, `${small} /Matrix [9 0 0 9 -40 -40]`))
  const turned = add(plan, base, streamOf(BLACK, `${small} /Matrix [1 5 -5 1 0 0]`))
  const flat = add(plan, base, streamOf(BLACK, BLACK_FORM.replace('3000 3000', '0 0')))
  const stroke = add(
    plan,
    base,
    streamOf('400 w 0 0 m 10 10 l S', `${small} /Matrix [1 0 0 1 0 0]`),
  )
  return pick(
    [
      `/AP << /N ${look} 0 R >>`,
      `/AP << /N ${wide} 0 R >>`,
      `/AP << /N ${turned} 0 R >>`,
      `/AP << /N ${flat} 0 R >>`,
      `/AP << /N ${stroke} 0 R >>`,
      `/AP << /D ${look} 0 R >>`,
      `/AP << /N << /On ${look} 0 R >> >> /AS /On`,
      '/MK << /BG [0] /BC [0] >> /BS << /W 200 /S /S >>',
      `/AP << /N ${look} 0 R >> /MK << /BC [0] >> /BS << /W 200 >>`,
      '/Border [0 0 200]',
      '/DA (/F1 200 Tf 0 g) /Q 1',
      `/AP << /N ${look} 0 R /R ${look} 0 R >> /H /P`,
      `/MK << /R 90 /BG [0] >>`,
    ],
    random,
  )
}

const RECTANGLES = [
  `/Rect [${OWN_RECTANGLE.join(' ')}]`,
  `/Rect [${OWN_RECTANGLE.join(' ')}]`,
  '/Rect [110 60 10 10]',
  '/Rect [10 10 110 60 0 0 300 200]',
  '/Rect [10 10 110]',
  '/Rect [10.0 +10 110. 60]',
  ZERO_RECTANGLE,
  '/Rect [50 150 50 150]',
  '/Rect [0 150 300 150]',
  '',
]
const FLAGS = ['/F 4', '/F 132', '/F 20', '/F 12', '/F 28', '/F 0', '/F 68', '']

/** A genuine signature of a person whose appearance tries to leave its place. */
async function visibleSignature(base: Base, random: Random): Promise<Mutant> {
  // The rectangles are those of the small documents.
  if (base.signatureAreas.length === 0) return visibleTimeStamp(base, random)
  const plan = emptyPlan(base.form)
  const paints = paintsOf(plan, base, random)
  const entries = `${pick(RECTANGLES, random)} ${pick(FLAGS, random)} ${paints}`
  planSignedField(plan, base, 'signature', entries, `Late ${random(1_000)}`)
  const bytes = await fillSignature(writeRevision(base, plan), 'signature', base.bytes.length)
  return { bytes, allowed: [OWN_AREA] }
}

/** The same, with a widget that is an object of its own and may contradict its field. */
async function separateWidget(base: Base, random: Random): Promise<Mutant> {
  if (base.signatureAreas.length === 0) return visibleTimeStamp(base, random)
  const plan = emptyPlan(base.form)
  const paints = paintsOf(plan, base, random)
  const entries = `${pick(RECTANGLES, random)} ${pick(FLAGS, random)} ${paints}`
  const name = `/T (Late ${random(1_000)})`
  const ofField = pick(
    [name, name, `${name} /Ff 1`, `${name} /MK << /BG [0] >>`, `${name} /Rect [0 0 300 200]`, ''],
    random,
  )
  planSeparateField(plan, base, 'signature', entries, ofField)
  const bytes = await fillSignature(writeRevision(base, plan), 'signature', base.bytes.length)
  return { bytes, allowed: [OWN_AREA] }
}

/** Fills an existing empty field of the document. */
async function filledField(base: Base, random: Random): Promise<Mutant> {
  const plan = emptyPlan(base.form)
  const empty = objectsOf(base, 'signature-field').find(({ source }) => !/\/V\b/.test(source))
  if (!empty) return visibleSignature(base, random)
  const signature = planSignature(plan, base, 'signature')
  const paints = paintsOf(plan, base, random).match(/\/AP.*/)?.[0] ?? ''
  rewrite(plan, empty, empty.source.replace(/>>$/, `/V ${signature} 0 R ${paints} >>`))
  const bytes = await fillSignature(writeRevision(base, plan), 'signature', base.bytes.length)
  return { bytes, allowed: [EMPTY_FIELD_AREA] }
}

/** A genuine time-stamp or signature over a revision that also attacks. */
const signedAttack =
  (changes: Readonly<Record<string, Change>>): MakeMutant =>
  async (base, random) => {
    const plan = emptyPlan(base.form)
    const kind = random(2) === 0 ? 'signature' : 'time-stamp'
    planSignedField(plan, base, kind, `${ZERO_RECTANGLE} /F 132`, `Late ${random(1_000)}`)
    changes[pick(Object.keys(changes), random)]?.(plan, base, random)
    return { bytes: await fillSignature(writeRevision(base, plan), kind, base.bytes.length) }
  }

async function signedOnce(bytes: Buffer, fieldName: string): Promise<Mutant> {
  const signed = await signDocument(bytes, {
    signers: [
      {
        fieldName,
        name: fieldName,
        places: [{ page: 1, ...PLACE, unit: 'fraction' }],
        appearance: { drawing: DRAWING, lines: [fieldName] },
        credential: () => lubos,
      },
    ],
    sealedAt: NOW,
    timeStamp: (digest) => stamp(digest),
  })
  return { bytes: Buffer.from(signed.bytes), allowed: [{ page: 0, ...PLACE }] }
}

/** The attacker signs what was changed: earlier signatures must not pass. */
async function signedOver(base: Base, random: Random): Promise<Mutant> {
  const plan = emptyPlan(base.form)
  const name = pick(Object.keys(OBJECT_CHANGES), random)
  OBJECT_CHANGES[name]?.(plan, base, random)
  const bytes = writeRevision(base, plan)
  const isSeal = random(2) === 0
  try {
    if (!isSeal) return await signedOnce(bytes, 'Late')
    const signed = await signDocument(bytes, {
      signers: [],
      seal: { fieldName: 'Late seal', name: 'Late seal', credential: seal },
      sealedAt: NOW,
      timeStamp: (digest) => stamp(digest),
    })
    return { bytes: Buffer.from(signed.bytes) }
  } catch {
    return { bytes }
  }
}

async function rewritten(base: Base, random: Random): Promise<Mutant> {
  const plan = emptyPlan(base.form)
  // A signature that is written anew lies outside its own byte range: that is an attack.
  const plain = base.objects.filter(({ isPacked, role }) => !isPacked && role !== 'signature')
  const target = pick(plain, random)
  // White space before and after the value counts as well.
  const written = `${target.number} ${target.generation} obj\n${target.written}\nendobj\n`
  if (!base.bytes.includes(written, 0, 'latin1')) return unreferenced(base)
  rewrite(plan, target, target.written).isAsIs = true
  return { bytes: writeRevision(base, plan) }
}

function unreferenced(base: Base): Mutant {
  const plan = emptyPlan(base.form)
  add(plan, base, '<< /Nothing (refers to this) >>')
  return { bytes: writeRevision(base, plan) }
}

async function augmented(base: Base): Promise<Mutant> {
  const { bytes } = await augmentDocument(base.bytes, {
    augmentedAt: NOW,
    timeStamp: (digest) => publishedStamp(digest),
    longTerm,
  })
  return { bytes: Buffer.from(bytes) }
}

/** Changes with genuine signatures or time-stamps, by class name. */
export const SIGNED_CHANGES: Readonly<Record<string, MakeMutant>> = {
  'feature/visible-time-stamp': visibleTimeStamp,
  'feature/signed-over': signedOver,
  'feature/visible-signature': visibleSignature,
  'feature/filled-field': filledField,
  'feature/separate-widget': separateWidget,
  'signed-over/object': signedAttack(OBJECT_CHANGES),
  'signed-over/file': signedAttack(FILE_CHANGES),
  'signed-over/feature': signedAttack(FEATURE_CHANGES),
}

/** Revisions of an honest editor or a second signer; each must pass and look the same. */
export const BENIGN_CHANGES: Readonly<Record<string, MakeMutant>> = {
  'benign/second-signature': (base) => signedOnce(base.bytes, 'Second'),
  'benign/rewritten': rewritten,
  'benign/unreferenced': unreferenced,
  'benign/augmented': (base) =>
    // Only signatures whose certificates have revocation URLs can get validation data.
    base.name.endsWith('-lta') ? augmented(base) : unreferenced(base),
}
