/**
 * Additions that a later revision may or may not make: fields, annotations, actions, boxes, layers
 * (ISO 32000-2, 12.5 to 12.7). Their syntax is right; what they mean is the attack.
 */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, BLACK, BLACK_FORM, pick } from './attacker.ts'
import { type Base, type BaseObject, objectsOf } from './base.ts'
import { type Change, rewrite } from './object-changes.ts'
import { type Plan, streamOf } from './revision.ts'

/** The lower part of a page, with the price line. */
const RECT = '[10 50 290 190]'

const firstPage = (base: Base): BaseObject => objectsOf(base, 'page')[0] as BaseObject
const catalogOf = (base: Base): BaseObject =>
  base.objects.find(({ number }) => number === base.rootNumber) as BaseObject

/** Returns the object in the plan, or else in the base. */
function current(plan: Plan, object: BaseObject): BaseObject {
  const planned = plan.objects.find(({ number }) => number === object.number)
  return planned ? { ...object, source: planned.body } : object
}

/** Adds or replaces an entry of a dictionary. */
function withValue(source: string, key: string, value: string): string {
  const found = new RegExp(`/${key}\\s*(\\[[^\\]]*\\]|\\d+ \\d+ R|[^/<>\\[\\]]+)`)
  if (found.test(source)) return source.replace(found, `/${key} ${value} `)
  return source.replace('<<', `<< /${key} ${value}`)
}

/** Appends a reference to an array in a dictionary, or to the array that the entry refers to. */
function appendTo(plan: Plan, base: Base, owner: BaseObject, key: string, item: string): void {
  const object = current(plan, owner)
  const found = new RegExp(`/${key}\\s*(?:\\[([^\\]]*)\\]|(\\d+) 0 R)`).exec(object.source)
  const list = found?.[2] && base.objects.find(({ number }) => number === Number(found[2]))
  if (list) {
    const array = current(plan, list)
    rewrite(plan, list, array.source.replace(/\]$/, ` ${item}]`))
  } else if (found) {
    const items = `/${key} [${found[1]} ${item}]`
    rewrite(plan, owner, object.source.replace(found[0], items))
  } else {
    rewrite(plan, owner, object.source.replace('<<', `<< /${key} [${item}]`))
  }
}

/**
 * Adds a widget to the first page, and to the form when it is a field.
 *
 * @param added number of the object of both, or of each
 */
export function addWidget(
  plan: Plan,
  base: Base,
  added: number | { field: number; widget: number },
  isField: boolean,
): void {
  const { field, widget } = typeof added === 'number' ? { field: added, widget: added } : added
  appendTo(plan, base, firstPage(base), 'Annots', `${widget} 0 R`)
  if (!isField) return
  const form = objectsOf(base, 'form')[0]
  if (form) appendTo(plan, base, form, 'Fields', `${field} 0 R`)
}

/** C5: a new unsigned signature field with what viewers paint without an appearance. */
function unsignedField(plan: Plan, base: Base, random: Random): void {
  const look = add(plan, base, streamOf(BLACK, BLACK_FORM))
  const paints = pick(
    [
      '/MK << /BG [0] /BC [0] >>',
      '/MK << /BG [0 0 0] >> /BS << /W 20 /S /S >>',
      '/MK << /BG [0 0 0] /BC [0 0 0] /CA (PAY 9999) >> /DA (/F1 40 Tf 0 g)',
      '/Border [0 0 30] /C [0 0 0]',
      '/BS << /W 40 >> /MK << /BC [0] >>',
      `/AP << /N ${look} 0 R >>`,
      `/AP << /D ${look} 0 R >>`,
      `/AP << /N << /On ${look} 0 R >> >> /AS /On`,
      `/MK << /I ${look} 0 R /TP 1 >>`,
      '/DA (/F1 60 Tf 0 g) /TU (PAY 9999) /V (PAY 9999)',
      '/H /P /MK << /BG [0 0 0] >> /Q 1',
      '/MK << /BG [0] >> /Subtype /FreeText /DA (/F1 60 Tf) /Contents (PAY 9999)',
    ],
    random,
  )
  const rect = pick([RECT, RECT, '[290 190 10 50]', '[0 0 0 0]', '[10 100 10 100]'], random)
  const flags = pick(['/F 4', '', '/F 132', '/F 2', '/F 20'], random)
  const own = `/FT /Sig /T (New) /Type /Annot /Subtype /Widget /P ${firstPage(base).number} 0 R`
  const field = add(plan, base, `<< ${own} /Rect ${rect} ${flags} ${paints} >>`)
  addWidget(plan, base, field, true)
}

function annotation(plan: Plan, base: Base, random: Random): void {
  const look = add(plan, base, streamOf(BLACK, BLACK_FORM))
  const kinds = [
    `/Subtype /Stamp /AP << /N ${look} 0 R >>`,
    '/Subtype /FreeText /DA (/Helv 40 Tf 0 g) /Contents (PAY 9999)',
    '/Subtype /Square /IC [0 0 0] /C [0 0 0]',
    `/Subtype /Widget /FT /Tx /T (Text) /V (9999) /DA (/F1 40 Tf 0 g) /AP << /N ${look} 0 R >>`,
    `/Subtype /Widget /FT /Sig /T (Sig2) /AP << /N ${look} 0 R >>`,
    `/Subtype /Popup /Open true /AP << /N ${look} 0 R >>`,
    `/Subtype /Link /Border [0 0 50] /C [0 0 0]`,
    `/Subtype /Highlight /QuadPoints [10 190 290 190 10 50 290 50] /C [0 0 0]`,
  ]
  const body = `<< /Type /Annot /F 4 /Rect ${RECT} ${pick(kinds, random)} >>`
  addWidget(plan, base, add(plan, base, body), random(3) === 0)
}

/** Entries of the catalog that show or do something. */
function catalogEntry(plan: Plan, base: Base, random: Random): void {
  const { number } = firstPage(base)
  const black = add(plan, base, streamOf(BLACK))
  const [key, value] = pick(
    [
      ['OpenAction', `<< /S /JavaScript /JS (this.getField\\("Amount"\\).value = "9999") >>`],
      ['OpenAction', `[${number} 0 R /FitR 0 0 10 10]`],
      ['AA', `<< /WC << /S /JavaScript /JS (app.alert\\(1\\)) >> >>`],
      ['Names', `<< /JavaScript << /Names [(a) << /S /JavaScript /JS (1) >>] >> >>`],
      ['OCProperties', `<< /OCGs [] /D << /BaseState /OFF /OFF [] >> >>`],
      ['Perms', '<< /DocMDP null >>'],
      ['Metadata', `${black} 0 R`],
      ['NeedsRendering', 'true'],
      ['Version', '/2.0'],
      ['Extensions', '<< /ADBE << /BaseVersion /1.7 /ExtensionLevel 8 >> >>'],
      ['PageLabels', '<< /Nums [0 << /P (PAY 9999) >>] >>'],
      ['ViewerPreferences', '<< /ViewArea /TrimBox /ViewClip /TrimBox >>'],
      ['Collection', '<< /View /D >>'],
      ['DSS', `<< /Certs [${black} 0 R] >>`],
      ['DSS', `${number} 0 R`],
      ['DSS', `<< /Certs [${number} 0 R] /VRI << /X << /Cert [${number} 0 R] >> >> >>`],
      ['Type', '/Other'],
      ['Lang', '(xx)'],
    ] as const,
    random,
  )
  const root = catalogOf(base)
  rewrite(plan, root, withValue(current(plan, root).source, key, value))
}

/** Entries of a page or of the tree that change how it is shown. */
function pageEntry(plan: Plan, base: Base, random: Random): void {
  const owner = pick(objectsOf(base, 'page', 'pages'), random)
  const black = add(plan, base, streamOf(BLACK))
  const [key, value] = pick(
    [
      ['MediaBox', '[0 0 250 150]'],
      ['CropBox', '[0 0 100 100]'],
      ['Rotate', '90'],
      ['UserUnit', '2'],
      ['Group', '<< /S /Transparency /CS /DeviceGray /I true /K true >>'],
      ['Contents', `${black} 0 R`],
      ['Resources', '<< >>'],
      ['TrimBox', '[0 0 50 50]'],
      ['Thumb', `${black} 0 R`],
      ['AA', '<< /O << /S /JavaScript /JS (1) >> >>'],
      ['Trans', '<< /S /Fly /D 9 >>'],
      ['Tabs', '/S'],
      ['PieceInfo', '<< /X << /LastModified (D:2026) >> >>'],
      ['Metadata', `${black} 0 R`],
    ] as const,
    random,
  )
  rewrite(plan, owner, withValue(current(plan, owner).source, key, value))
}

/** Entries of the form that change how fields are shown. */
function formEntry(plan: Plan, base: Base, random: Random): void {
  const form = objectsOf(base, 'form')[0]
  if (!form) return
  const xfa = add(plan, base, streamOf('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"></xdp:xdp>'))
  const [key, value] = pick(
    [
      ['NeedAppearances', 'true'],
      ['XFA', `${xfa} 0 R`],
      ['XFA', `[(template) ${xfa} 0 R]`],
      ['DA', '(/ZaDb 0 Tf 0 g)'],
      ['DR', '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> >> >>'],
      ['Q', '2'],
      ['CO', '[]'],
      ['SigFlags', '0'],
      ['SigFlags', '7'],
      ['Fields', '[]'],
    ] as const,
    random,
  )
  rewrite(plan, form, withValue(current(plan, form).source, key, value))
}

/** Changes the display of an existing field or annotation. */
function widgetEntry(plan: Plan, base: Base, random: Random): void {
  const widget = pick(objectsOf(base, 'annotation', 'signature-field'), random)
  if (!widget) return
  const look = add(plan, base, streamOf(BLACK, BLACK_FORM))
  const [key, value] = pick(
    [
      ['MK', '<< /BG [0 0 0] /BC [0 0 0] >>'],
      ['Rect', RECT],
      ['AP', `<< /N ${look} 0 R >>`],
      ['F', '2'],
      ['V', '(9999)'],
      ['AS', '/Off'],
      ['BS', '<< /W 30 >>'],
      ['Border', '[0 0 30]'],
      ['OC', '<< /Type /OCG /Name (Off) >>'],
      ['Kids', `[${look} 0 R]`],
      ['DA', '(/F1 60 Tf 0 g)'],
      ['Parent', `${look} 0 R`],
      ['M', '(D:20260601120000Z)'],
    ] as const,
    random,
  )
  rewrite(plan, widget, withValue(current(plan, widget).source, key, value))
}

/** The whole name of a standard key is taken by an object that nothing referred to. */
function openEnd(plan: Plan, base: Base, random: Random): void {
  // Numbers behind the last one, which some part of the signed bytes may name.
  const number = base.size + random(400)
  const body = pick([streamOf(BLACK), streamOf(BLACK, BLACK_FORM), '[]', '<< >>', 'null'], random)
  plan.objects.push({ number, generation: 0, body })
}

/** Changes by class name. */
export const FEATURE_CHANGES: Readonly<Record<string, Change>> = {
  'feature/unsigned-field': unsignedField,
  'feature/annotation': annotation,
  'feature/catalog-entry': catalogEntry,
  'feature/page-entry': pageEntry,
  'feature/form-entry': formEntry,
  'feature/widget-entry': widgetEntry,
  'feature/open-end': openEnd,
}
