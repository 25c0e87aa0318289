/** Content that an attacker wants viewers to show instead of the signed content. */
import type { Random } from '../../../test/fixtures/mutations.ts'
import type { Base, BaseObject, Role } from './base.ts'
import { objectsOf } from './base.ts'
import { type Plan, streamOf } from './revision.ts'

/** One item at random. */
export function pick<T>(items: readonly T[], random: Random): T {
  return items[random(items.length)] as T
}

/** Paints the whole page black: seen at any resolution. */
export const BLACK = '0 g 0 0 3000 3000 re f'
/** Entries of a form XObject that shows {@link BLACK}. */
export const BLACK_FORM = '/Type /XObject /Subtype /Form /BBox [0 0 3000 3000]'
const MEDIA_BOX = '/MediaBox [0 0 250 150]'

/** An entry of a dictionary that shows something else. */
export interface Wish {
  key: string
  /** Source of the attacker's value. */
  evil: string
}

/**
 * Adds an object of the attacker to a plan.
 *
 * @returns its number
 */
export function add(plan: Plan, base: Base, body: string): number {
  const numbers = plan.objects.map(({ number }) => number)
  const number = Math.max(base.size - 1, ...numbers) + 1
  plan.objects.push({ number, generation: 0, body })
  return number
}

const reference = (number: number) => `${number} 0 R`
const rootOf = (base: Base) => objectsOf(base, 'pages')[0]?.number ?? 2

/** Page entries that show the attacker's content in viewers that use them. */
const VALUES: Readonly<Record<string, (plan: Plan, base: Base) => string>> = {
  Contents: (plan, base) => reference(add(plan, base, streamOf(BLACK))),
  Annots: (plan, base) => `[${reference(addNote(plan, base))}]`,
  MediaBox: () => '[0 0 250 150]',
  CropBox: () => '[0 0 100 100]',
  Rotate: () => '90',
  Resources: (plan, base) => {
    const look = reference(add(plan, base, streamOf(BLACK, BLACK_FORM)))
    const font = `<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>`
    return `<< /Font << /F1 ${font} >> /XObject << /X1 ${look} >> >>`
  },
  Parent: (plan, base) =>
    reference(add(plan, base, `<< /Type /Pages /Count 1 ${MEDIA_BOX} /Kids [] /Rotate 90 >>`)),
  Kids: (plan, base) => `[${reference(addPage(plan, base))}]`,
  Count: () => '0',
  Pages: (plan, base) => {
    const page = addPage(plan, base)
    const pages = `<< /Type /Pages /Count 1 /Kids [${reference(page)}] >>`
    return reference(add(plan, base, pages))
  },
  Fields: (plan, base) => `[${reference(addNote(plan, base))}]`,
  AcroForm: (plan, base) => {
    const note = addNote(plan, base)
    return `<< /Fields [${reference(note)}] /NeedAppearances true >>`
  },
  NeedAppearances: () => 'true',
  BaseFont: () => '/ZapfDingbats',
  Encoding: () => '<< /Differences [48 /nine /nine /nine 65 /X /X /X /X /X /X /X /X /X /X] >>',
  Subtype: () => '/Type3',
  BBox: () => '[0 0 1 1]',
  Matrix: () => '[9 0 0 9 0 0]',
  Length: () => '5',
  Filter: () => '/ASCIIHexDecode',
  DecodeParms: () => '<< /Predictor 12 >>',
  Rect: () => '[0 0 290 190]',
  AP: (plan, base) => `<< /N ${reference(add(plan, base, streamOf(BLACK, BLACK_FORM)))} >>`,
  F: () => '2',
  AS: () => '/Off',
  V: () => '(9999)',
  Font: () => '<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> >>',
  XObject: (plan, base) => `<< /X1 ${reference(add(plan, base, streamOf(BLACK, BLACK_FORM)))} >>`,
  N: (plan, base) => reference(add(plan, base, streamOf(BLACK, BLACK_FORM))),
  P: (_plan, base) => reference(rootOf(base)),
  Type: () => '/Nothing',
  OCProperties: () => '<< /OCGs [] /D << /BaseState /OFF >> >>',
  StmF: () => '/Identity',
  StrF: () => '/Identity',
  EncryptMetadata: () => 'false',
}

/** Keys that change the display of an object, for each role, most effective first. */
const KEYS: Readonly<Record<Role, readonly string[]>> = {
  page: [
    ...['Contents', 'Contents', 'Contents', 'Annots', 'MediaBox', 'CropBox', 'Rotate'],
    ...['Resources', 'Parent', 'Type'],
  ],
  pages: ['Kids', 'Kids', 'MediaBox', 'Rotate', 'Resources', 'Count', 'Type'],
  catalog: ['Pages', 'Pages', 'AcroForm', 'OCProperties'],
  form: ['Fields', 'NeedAppearances', 'V'],
  'signature-field': ['AP', 'Rect', 'F', 'V', 'P'],
  annotation: ['AP', 'AP', 'Rect', 'F', 'AS', 'V', 'Type'],
  signature: ['Type', 'V'],
  font: ['BaseFont', 'Encoding', 'Subtype'],
  'x-object': ['BBox', 'Matrix', 'Length', 'Filter', 'Resources'],
  stream: ['Length', 'Filter', 'DecodeParms', 'F'],
  resources: ['Font', 'XObject'],
  'security-store': ['Type', 'V'],
  encryption: ['StmF', 'StrF', 'EncryptMetadata', 'Length', 'V', 'Filter'],
  information: ['Type', 'V'],
  array: ['Kids', 'Annots', 'Contents'],
  number: ['Length', 'Rotate'],
  other: ['Type', 'N'],
}

function addNote(plan: Plan, base: Base): number {
  const look = add(plan, base, streamOf(BLACK, BLACK_FORM))
  return add(
    plan,
    base,
    `<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 290 190] /AP << /N ${look} 0 R >> >>`,
  )
}

function addPage(plan: Plan, base: Base): number {
  const content = add(plan, base, streamOf(BLACK))
  const parent = `/Parent ${rootOf(base)} 0 R`
  const page = `<< /Type /Page ${parent} ${MEDIA_BOX} /Resources << >> /Contents ${content} 0 R >>`
  return add(plan, base, page)
}

/** Builds the attacker's change of an object, and adds referenced objects to the plan. */
export function wishFor(plan: Plan, base: Base, target: BaseObject, random: Random): Wish {
  const key = pick(KEYS[target.role], random)
  return { key, evil: VALUES[key]?.(plan, base) ?? 'null' }
}

/** Roles that determine the content of a page; more important ones occur more often. */
const TARGETS: readonly Role[] = [
  ...(['page', 'page', 'page', 'page', 'stream', 'stream', 'pages', 'catalog'] as const),
  ...(['x-object', 'font', 'resources', 'annotation', 'form', 'signature-field'] as const),
  ...(['array', 'number', 'information', 'security-store', 'signature', 'other'] as const),
  'encryption',
]

/** An object that is worth attacking. */
export function pickTarget(base: Base, random: Random, ...roles: readonly Role[]): BaseObject {
  const chosen = roles.length > 0 ? roles : TARGETS
  const found = objectsOf(base, pick(chosen, random))
  return found.length > 0 ? pick(found, random) : (objectsOf(base, 'page')[0] as BaseObject)
}

/** The same object as the attacker would write it, without any trick. */
export function attacked(target: BaseObject, { key, evil }: Wish): string {
  const { source } = target
  if (source.startsWith('[') || /^\d+$/.test(source)) return evil
  const found = new RegExp(`/${key}\\s*(\\[[^\\]]*\\]|<<[^]*?>>|\\d+ 0 R|[^/>]*)`)
  if (found.test(source)) return source.replace(found, `/${key} ${evil} `)
  return source.replace('<<', `<< /${key} ${evil}`)
}
