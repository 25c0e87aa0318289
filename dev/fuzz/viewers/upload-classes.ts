/** Classes of mutated uploads: what an attacker sends before a document is signed. */
import { Buffer } from 'node:buffer'
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, attacked, BLACK, pick, pickTarget, wishFor } from './attacker.ts'
import type { Base } from './base.ts'
import { changeBytes } from './byte-changes.ts'
import { contentStreams } from './content-changes.ts'
import { images } from './image-changes.ts'
import { rewrite } from './object-changes.ts'
import { operators } from './operator-changes.ts'
import { PLAN_CHANGES } from './mutations.ts'
import { emptyPlan, type Plan, streamOf, writeRevision } from './revision.ts'
import { DICTIONARY_TRICKS, takeApart } from './syntax.ts'

/** An upload, and what an attacker would append when it is signed. */
export interface Upload {
  bytes: Buffer
  fill?: (signed: Base) => Buffer
}

/** Makes an upload of a class; equal random numbers make equal uploads. */
type MakeUpload = (base: Base, random: Random) => Upload

/** An object number that is unused in the upload and after signing. */
const OPEN_NUMBER = 900
const HEADER = '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n'

/** Writes the objects of the document and of the plan as one revision. */
function flattened(base: Base, plan: Plan): Buffer {
  const planned = new Set(plan.objects.map(({ number }) => number))
  const kept = base.objects
    .filter(({ number }) => !planned.has(number))
    .map(({ number, generation, source, isPacked }) => {
      return { number, generation, body: source, isPacked }
    })
  plan.objects = [...kept, ...plan.objects]
  const free = { number: 0, type: 0, second: 0, third: 65_535 }
  plan.editRows.unshift((rows) => [free, ...rows])
  const { size, trailer, cipher } = base
  const bytes = Buffer.from(HEADER, 'latin1')
  return writeRevision({ bytes, size, trailer, ...(cipher && { cipher }) }, plan)
}

const written = (base: Base, plan: Plan, random: Random): Buffer =>
  random(2) === 0 ? writeRevision(base, plan) : flattened(base, plan)

/** C3: a reference that only some readers see, to an object that comes after signing. */
function openEnd(base: Base, random: Random): Upload {
  const plan = emptyPlan(base.form)
  const target = pickTarget(base, random, 'page', 'page', 'pages', 'catalog', 'resources')
  const keys = { page: ['Contents', 'Contents', 'Annots', 'Resources'], pages: ['Kids'] }
  const own = (keys as Record<string, readonly string[]>)[target.role]
  const key = pick(
    own ?? (target.role === 'catalog' ? ['AcroForm', 'OCProperties'] : ['XObject']),
    random,
  )
  const found = new RegExp(`/${key}\\s*(?:\\[([^\\]]*)\\]|(\\d+ 0 R))`).exec(target.source)
  const honest = found?.[1] ?? found?.[2] ?? ''
  const open = `${OPEN_NUMBER} 0 R`
  const evil = pick([`[${honest} ${open}]`, `[${open}]`, open], random)
  const parts = takeApart(target.source, { key, evil })
  const trick = pick(Object.values(DICTIONARY_TRICKS), random)
  if (parts) rewrite(plan, target, trick(parts, random) + parts.rest)
  const filling = random(3)
  return {
    bytes: written(base, plan, random),
    fill: (signed) => {
      const later = emptyPlan(signed.form)
      const look = '/Type /XObject /Subtype /Form /BBox [0 0 3000 3000]'
      const page = `/Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << >>`
      const content = add(later, signed, streamOf(BLACK))
      const bodies = [
        streamOf(BLACK),
        streamOf(BLACK, look),
        `<< ${page} /Contents ${content} 0 R /X1 ${content} 0 R >>`,
      ]
      const body = bodies[filling] as string
      later.objects.push({ number: OPEN_NUMBER, generation: 0, body })
      return writeRevision(signed, later)
    },
  }
}

/** Ends after which readers look for objects themselves. */
const MISLEADING_ENDS = [
  ...['startxref\n0\n%%EOF\n', 'startxref\n9\n%%EOF', 'trailer\n<< /Root 1 0 R >>\n%%EOF\n'],
  ...['xref\n0 0\ntrailer\n<< >>\nstartxref\n0\n%%EOF\n', '%PDF-1.7\n', '\nstartxref\n%%EOF\n'],
  ...['%%EOF\n', '\n'.repeat(1_100), 'x'.repeat(1_100), 'trailer\n<< /Size 9 /Root 1 0 R >>\n'],
]

/** Objects that readers find only when they repair the file, which an end added later causes. */
function decoys(base: Base, random: Random): Upload {
  const plan = emptyPlan(base.form)
  const target = pickTarget(base, random, 'page', 'stream', 'pages', 'catalog')
  const evil = attacked(target, wishFor(plan, base, target, random))
  const { number, generation } = target
  const isHidden = random(2) === 0
  const encrypted = base.cipher?.encryptObject(target, evil) ?? evil
  const text = `${number} ${generation} obj\n${encrypted}\nendobj`
  const body = pick([streamOf(`\n${text}\n`), `(\n${text}\n)`, `<< >> %\r${text}\r`], random)
  if (isHidden) {
    const hidden = add(plan, base, body)
    const object = plan.objects.find((one) => one.number === hidden)
    if (object) object.isAsIs = true
  } else plan.objects.push({ number, generation, body: evil, isUnlisted: true })
  const end = pick(MISLEADING_ENDS, random)
  return {
    bytes: written(base, plan, random),
    fill: (signed) => {
      const at = signed.bytes.indexOf(text)
      const section = `xref\n${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`
      const entries = `/Size ${signed.size} ${signed.trailer} /Prev ${signed.startXref}`
      const trailer = `trailer\n<< ${entries} >>\n`
      const listed = `${section}${trailer}startxref\n${signed.bytes.length}\n%%EOF\n`
      return Buffer.concat([signed.bytes, Buffer.from(isHidden ? listed : end, 'latin1')])
    },
  }
}

/** Every class of uploads, by its name. */
export const UPLOAD_CLASSES: Readonly<Record<string, MakeUpload>> = {
  ...Object.fromEntries(
    Object.entries({
      ...PLAN_CHANGES,
      'content/streams': contentStreams,
      'content/images': images,
      'content/operators': operators,
    }).map(([name, change]): [string, MakeUpload] => [
      name,
      (base, random) => {
        const plan = emptyPlan(base.form)
        change(plan, base, random)
        return { bytes: written(base, plan, random) }
      },
    ]),
  ),
  'upload/open-end': openEnd,
  'upload/decoys': decoys,
  'bytes/changed': (base, random) => ({
    bytes: Buffer.from(changeBytes(base.bytes.toString('latin1'), random), 'latin1'),
  }),
  'benign/upload': (base) => ({ bytes: base.bytes }),
}
