/**
 * Reads what pdf.js draws for an annotation, without drawing it.
 *
 * An annotation of pdf.js hands its appearance, read or made, to an evaluator. Here the evaluator
 * records it. A test notices when pdf.js changes this.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FONT_FOLDER } from './font-folder.ts'
import { type FieldData, type FieldValues, isDrawnEmpty, valuesFor } from './undrawn-value.ts'

/** Methods of pdf.js. */
const MAKE_TEXT = '_getAppearance'
const MAKE_EVALUATOR = '_createPartialEvaluator'

/** Objects of pdf.js, as far as they are used here. */
export interface ForeignDictionary {
  readonly objId?: string | null
  get(key: string): unknown
  getRaw(key: string): unknown
  getArray(key: string): unknown
  has(key: string): boolean
}

interface ForeignAppearance {
  readonly dict?: ForeignDictionary | null
  getString(): string
  reset(): void
}

interface OperatorList {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly (readonly unknown[] | null)[]
}

/** What an annotation gives to an evaluator. */
interface Drawn {
  readonly stream: ForeignAppearance
  readonly resources: unknown
}

interface Evaluator {
  getOperatorList(drawn: Drawn): Promise<void>
}

export interface ForeignAnnotation {
  readonly ref: { readonly num: number } | null
  readonly data: FieldData & {
    readonly rect: readonly number[]
    readonly subtype?: string
    readonly contentsObj?: { readonly str: string }
    readonly defaultAppearanceData?: { readonly fontName?: string }
  }
  readonly appearance: unknown
  readonly rotation: number
  readonly _hasText?: boolean
  readonly _needAppearances?: boolean
  mustBeViewed(storage: null, rendersForms: boolean): boolean
  [MAKE_TEXT]?(
    evaluator: Evaluator,
    task: object,
    intent: number,
    storage: FieldValues | null,
  ): unknown
  getRotationMatrix?(storage: null): readonly number[]
  getOperatorList(
    evaluator: Evaluator,
    task: object,
    intent: number,
    storage: FieldValues | null,
  ): Promise<{ readonly opList: OperatorList | null }>
}

export interface AnnotatedPage {
  readonly _parsedAnnotations: Promise<readonly ForeignAnnotation[]>
  [MAKE_EVALUATOR](handler: object): Evaluator
}

/** As pdf.js drew it; `resources` is its object. */
export interface AnnotationAppearance {
  readonly rect: readonly number[]
  readonly bbox: readonly number[]
  readonly matrix: readonly number[]
  readonly resources: ForeignDictionary | undefined
  readonly fontName?: string
  readonly content: string
  /** Resources that the content does not use. */
  readonly unused: readonly string[]
}

/** Number of the object of the document that pdf.js draws. */
export interface OwnAppearance {
  readonly fromDocument: number
}

/** Render intents of pdf.js: for the screen, and for a file. */
const DISPLAY = 2
const SAVE = 8
const IDENTITY = [1, 0, 0, 1, 0, 0]
const EMPTY_BOX = [0, 0, 1, 1]
const TASK = { name: 'look', ensureNotTerminated() {} }
const FONT_NAME = /^[A-Za-z-]+\.(?:pfb|ttf)$/
/** pdf.js asks for fonts, which it measures; nothing is sent to a page. */
const HANDLER = {
  send() {},
  async sendWithPromise(_name: string, { kind, filename }: { kind?: string; filename?: string }) {
    const isFont = kind === 'standardFontDataUrl' && FONT_NAME.test(filename ?? '')
    if (!isFont) throw new Error('only fonts are there')
    return Uint8Array.from(await readFile(join(FONT_FOLDER, filename ?? '')))
  },
}
/** pdf.js writes these where it cannot measure a font. */
const NOT_A_NUMBER = /(?:^|\s)(?:NaN|-?Infinity)\s/
/** The appearance that pdf.js makes for markup: a form within a form. */
const WRAPPED = '/GS0 gs /Fm0 Do'

/**
 * Reads the appearance of one annotation.
 *
 * @param number of the annotation's object
 * @returns the object's number when pdf.js draws an appearance of the document, `unknown` when
 *   pdf.js draws with fonts that only a browser has, or with numbers that are none
 */
export async function readAppearance(
  page: AnnotatedPage,
  number: number,
): Promise<AnnotationAppearance | OwnAppearance | 'unknown'> {
  const { _parsedAnnotations: parsed } = page
  const annotation = byNumber(await parsed).get(number)
  if (!annotation) return 'unknown'
  const { _hasText: hasText, _needAppearances: isRedrawn, data } = annotation
  const { rect, subtype, contentsObj, defaultAppearanceData } = data
  const shape = { rect, bbox: EMPTY_BOX, matrix: IDENTITY }
  const nothing = { ...shape, resources: undefined, content: '', unused: [] }
  if (!annotation.mustBeViewed(null, false)) return nothing
  const values = valuesFor(data)
  if (subtype === 'FreeText' && !annotation.appearance && contentsObj?.str) return 'unknown'
  const evaluator = page[MAKE_EVALUATOR](HANDLER)
  if (hasText) {
    if (isRedrawn && isDrawnEmpty(data)) return nothing
    const saved = await annotation[MAKE_TEXT]?.(evaluator, TASK, SAVE, values)
    if (typeof saved === 'object' && saved !== null) return 'unknown'
  }
  const drawn = await findDrawn(annotation, evaluator, values)
  if (!drawn) return nothing
  const { stream, resources } = drawn
  const { dict } = stream
  if (dict?.objId) return { fromDocument: Number.parseInt(dict.objId, 10) }
  const own = (dict ? dict.get('Resources') : resources) as ForeignDictionary | undefined
  const read = contentOf(stream, own)
  if (NOT_A_NUMBER.test(read.content)) return 'unknown'
  const { fontName } = defaultAppearanceData ?? {}
  return {
    ...(dict ? shapeOf(dict, rect) : shapeOfText(annotation, rect)),
    rect,
    resources: own,
    ...(hasText && fontName && { fontName }),
    ...read,
  }
}

/** @returns the appearance that the annotation draws first; undefined when it draws none */
async function findDrawn(
  annotation: ForeignAnnotation,
  evaluator: Evaluator,
  values: FieldValues | null,
): Promise<Drawn | undefined> {
  const recorded: Drawn[] = []
  const getOperatorList: Evaluator['getOperatorList'] = async (drawn) => {
    recorded.push(drawn)
  }
  const recorder = Object.create(evaluator, { getOperatorList: { value: getOperatorList } })
  await annotation.getOperatorList(recorder as Evaluator, TASK, DISPLAY, values)
  return recorded[0]
}

const numbered = new WeakMap<readonly ForeignAnnotation[], Map<number, ForeignAnnotation>>()

/** The annotations of a page; pages can have tens of thousands. */
function byNumber(annotations: readonly ForeignAnnotation[]): Map<number, ForeignAnnotation> {
  const known = numbered.get(annotations)
  if (known) return known
  const entries = annotations.map((one): [number, ForeignAnnotation] => [one.ref?.num ?? 0, one])
  const map = new Map(entries)
  numbered.set(annotations, map)
  return map
}

function shapeOf(dictionary: ForeignDictionary, rect: readonly number[]) {
  const [bbox, matrix] = ['BBox', 'Matrix'].map((key) => dictionary.getArray(key))
  return {
    bbox: numbersOf(bbox) ?? [0, 0, rect[2] - rect[0], rect[3] - rect[1]],
    matrix: numbersOf(matrix) ?? IDENTITY,
  }
}

/** Text is laid out in the field as a person reads it, and turned with the field. */
function shapeOfText(annotation: ForeignAnnotation, rect: readonly number[]) {
  const size = [rect[2] - rect[0], rect[3] - rect[1]]
  if (annotation.rotation % 180 !== 0) size.reverse()
  return {
    bbox: [0, 0, ...size],
    matrix: numbersOf(annotation.getRotationMatrix?.(null)) ?? IDENTITY,
  }
}

function numbersOf(value: unknown): number[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const numbers = Array.from(value as ArrayLike<unknown>)
  return numbers.every((one) => typeof one === 'number') ? numbers : undefined
}

/** The content, and the names of resources that it no longer needs. */
function contentOf(stream: ForeignAppearance, resources: ForeignDictionary | undefined) {
  stream.reset()
  const content = stream.getString()
  if (content !== WRAPPED) return { content, unused: [] }
  const forms = resources?.get('XObject') as ForeignDictionary | undefined
  const form = forms?.getRaw('Fm0') as ForeignAppearance | undefined
  form?.reset()
  return { content: `/GS0 gs ${form?.getString() ?? ''}`, unused: ['XObject'] }
}
