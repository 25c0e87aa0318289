/** Later revisions that carry a genuine signature or time-stamp, and honest ones that must pass. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { augmentDocument, readDrawing, signDocument } from '../../../pades/index.ts'
import type { Random } from '../../../test/fixtures/mutations.ts'
import { longTerm, lubos, NOW, publishedStamp, seal, stamp } from '../../../test/fixtures/pki.ts'
import { add, BLACK, pick } from './attacker.ts'
import { type Base, objectsOf } from './base.ts'
import { addWidget, FEATURE_CHANGES } from './feature-changes.ts'
import { FILE_CHANGES } from './file-changes.ts'
import { type Change, OBJECT_CHANGES, rewrite } from './object-changes.ts'
import type { Area } from './raster.ts'
import { emptyPlan, type Plan, streamOf, writeRevision } from './revision.ts'

/** A mutated document. */
export interface Mutant {
  readonly bytes: Buffer
  /** Where the picture may differ: places of new honest signatures. */
  readonly allowed?: readonly Area[]
}

export type MakeMutant = (base: Base, random: Random) => Promise<Mutant> | Mutant

const DRAWING = readDrawing('M0 20 C20 0 40 40 60 20 S100 0 120 20')
const RESERVED_BYTES = 6_000
const RANGE_PLACE = '/ByteRange [0 0000000000 0000000000 0000000000]'
/** In fractions of the first page. */
const PLACE = { x: 0.02, y: 0.85, width: 0.2, height: 0.1 }
const LOOK = '/Type /XObject /Subtype /Form /BBox [0 0 3000 3000]'

/** Fills the last signature of a file with a time-stamp of the test authority. */
async function stamped(file: Buffer): Promise<Buffer> {
  const hole = `/Contents <${'0'.repeat(2 * RESERVED_BYTES)}>`
  const start = file.lastIndexOf(hole) + '/Contents '.length
  const end = start + 2 * RESERVED_BYTES + 2
  const numbers = [start, end, file.length - end].map((one) => String(one).padStart(10, '0'))
  file.write(`/ByteRange [0 ${numbers.join(' ')}]`, file.lastIndexOf(RANGE_PLACE), 'latin1')
  const digest = createHash('sha256')
    .update(file.subarray(0, start))
    .update(file.subarray(end))
    .digest()
  const token = Buffer.from(await stamp(digest)).toString('hex')
  file.write(token, start + 1, 'latin1')
  return file
}

const ZERO_RECTANGLE = '/Rect [0 0 0 0]'

/** Adds a document time-stamp to the plan, to be filled by {@link stamped}. */
function planTimeStamp(plan: Plan, base: Base, paints: string, name: string): void {
  const signature = add(
    plan,
    base,
    `<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161 ${RANGE_PLACE}` +
      ` /Contents <${'0'.repeat(2 * RESERVED_BYTES)}> >>`,
  )
  const field = add(
    plan,
    base,
    `<< /FT /Sig /T (${name}) /Type /Annot /Subtype /Widget ${paints} /F 4` +
      ` /P ${objectsOf(base, 'page')[0]?.number} 0 R /V ${signature} 0 R >>`,
  )
  addWidget(plan, base, field, true)
}

/** C5: a document time-stamp, genuine, in a field that paints. */
async function visibleTimeStamp(base: Base, random: Random): Promise<Mutant> {
  const plan = emptyPlan(base.form)
  const look = add(plan, base, streamOf(BLACK, LOOK))
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
  planTimeStamp(plan, base, paints, `Stamp ${random(1_000)}`)
  return { bytes: await stamped(writeRevision(base, plan)) }
}

/** A genuine time-stamp over a revision that also attacks. */
const stampedOver =
  (changes: Readonly<Record<string, Change>>): MakeMutant =>
  async (base, random) => {
    const plan = emptyPlan(base.form)
    planTimeStamp(plan, base, ZERO_RECTANGLE, `Stamp ${random(1_000)}`)
    changes[pick(Object.keys(changes), random)]?.(plan, base, random)
    const bytes = writeRevision(base, plan)
    // A change may have written the field or the signature away.
    const isWhole = bytes.lastIndexOf(RANGE_PLACE) >= base.bytes.length
    return { bytes: isWhole ? await stamped(bytes) : bytes }
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
  rewrite(plan, target, target.source)
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

/** With genuine signatures or time-stamps, by the name of their class. */
export const SIGNED_CHANGES: Readonly<Record<string, MakeMutant>> = {
  'feature/visible-time-stamp': visibleTimeStamp,
  'feature/signed-over': signedOver,
  'stamped-over/object': stampedOver(OBJECT_CHANGES),
  'stamped-over/file': stampedOver(FILE_CHANGES),
  'stamped-over/feature': stampedOver(FEATURE_CHANGES),
}

/** What an honest editor or a second signer appends; each must pass and look the same. */
export const BENIGN_CHANGES: Readonly<Record<string, MakeMutant>> = {
  'benign/second-signature': (base) => signedOnce(base.bytes, 'Second'),
  'benign/rewritten': rewritten,
  'benign/unreferenced': unreferenced,
  'benign/augmented': (base) =>
    // Only what says where its revocation is published can be made to last.
    base.name.endsWith('-lta') ? augmented(base) : unreferenced(base),
}
