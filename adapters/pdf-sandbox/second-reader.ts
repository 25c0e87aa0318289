/**
 * Reads a document with pdf.js, which shows documents to signers, and returns its object model.
 *
 * The worker of pdf.js gives out pages as operators, not as objects. It stores the linearization of
 * each document that it opens with `Object.defineProperty`; that call is observed once while the
 * worker opens a document, and names the open document. A test notices when pdf.js changes this.
 */
import { WorkerMessageHandler } from 'pdfjs-dist/build/pdf.worker.min.mjs'
import {
  isDictionary,
  MAX_PAGES_BY_COUNT,
  PadesError,
  type PdfArray,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfString,
  type PdfValue,
  type SecondPage,
  type SecondReading,
  SecondStream,
  type SecondViewer,
} from '../../pades/index.ts'
import { observeDefinedProperty } from '../shared/patched-dependencies.ts'
import { type AnnotatedPage, readAppearance } from './annotation-appearance.ts'

/** Version of `pdfjs-dist` in package.json: the worker refuses another one. */
const PDF_JS_VERSION = '6.5.438'
const OBSERVED_PROPERTY = 'linearization'
/** Arrays and dictionaries within each other; our own reader takes as many. */
const MAX_DEPTH = 100

/** Objects of pdf.js, as far as they are used here. */
interface ForeignReference {
  num: number
  gen: number
}

interface ForeignDictionary {
  getRawEntries(): Iterable<[string, unknown]>
}

/** Encoded data: bytes of the file, or what decrypts them. */
type ForeignData = { start: number; end: number } | { stream: { start: number; end: number } }

interface ForeignStream {
  dict: ForeignDictionary
  getOriginalStream(): ForeignData
}

interface ForeignPage extends AnnotatedPage {
  ref: ForeignReference | null
  pageDict: ForeignDictionary
  resources: ForeignDictionary
  annotations: unknown[]
  view: number[]
  rotate: number
  userUnit: number
}

/** The class of pages, with what it is made with. */
type MakePage = new (parts: Record<string, unknown>) => ForeignPage

interface ForeignDocument {
  numPages: number
  linearization: { pageFirst: number } | null
  catalog: {
    getAllPageDicts(): Promise<Map<number, [ForeignDictionary | Error, ForeignReference | null]>>
  }
  _globalIdFactory: unknown
  xref: { root: ForeignDictionary; fetch(reference: ForeignReference): unknown }
  getPage(index: number): Promise<ForeignPage>
}

/**
 * Opens a document with pdf.js, with the options of the signing page as far as they change what is
 * read.
 *
 * @param bytes copied
 * @throws PadesError `READ_DIFFERENTLY` - pdf.js cannot open it
 * @throws TypeError - pdf.js is not the version for which this was written
 */
export async function openSecondReading(bytes: Uint8Array): Promise<SecondReading & SecondViewer> {
  // pdf.js addresses streams in the whole buffer below a view.
  return new PdfJsReading(await openForeign(Uint8Array.from(bytes)))
}

async function openForeign(data: Uint8Array): Promise<ForeignDocument> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let listener: ((event: { data: unknown }) => void) | undefined
  const port = {
    postMessage(message: unknown) {
      const { action, data: details } = message as { action?: string; data?: unknown }
      if (action === 'GetDoc') resolve()
      // It asks for a password where it takes the document for encrypted.
      if (action === 'DocException' || action === 'PasswordRequest') {
        reject(new PadesError('READ_DIFFERENTLY', undefined, { cause: details }))
      }
    },
    addEventListener(_type: string, one: (event: { data: unknown }) => void) {
      listener = one
    },
    removeEventListener() {},
  }
  const targetName = WorkerMessageHandler.createDocumentHandler(
    {
      docId: 'second',
      apiVersion: PDF_JS_VERSION,
      data,
      password: null,
      disableAutoFetch: true,
      rangeChunkSize: data.length,
      docBaseUrl: null,
      enableXfa: false,
      evaluatorOptions: {},
    },
    port,
  )
  const observed = observeDefinedProperty<ForeignDocument>(OBSERVED_PROPERTY)
  try {
    listener?.({ data: { sourceName: 'second', targetName, action: 'Ready', data: null } })
    await promise
  } finally {
    observed.stop()
  }
  const { target: document } = observed
  if (!document) throw new TypeError('pdf.js does not show its document')
  return document
}

/** Translates what pdf.js understood. */
class PdfJsReading implements SecondReading, SecondViewer {
  readonly pageCount: number
  readonly catalog: PdfDictionary
  readonly #document: ForeignDocument
  #listed: ReturnType<ForeignDocument['catalog']['getAllPageDicts']> | undefined
  /** pdf.js compares references by identity in places: those that it made are used again. */
  readonly #references = new Map<string, ForeignReference>()

  constructor(document: ForeignDocument) {
    this.#document = document
    this.pageCount = document.numPages
    this.catalog = this.#dictionary(document.xref.root)
  }

  async page(index: number): Promise<SecondPage> {
    const { ref, pageDict, resources, annotations, view, rotate, userUnit } =
      await this.#foreignPage(index)
    return {
      ...(ref && { reference: new PdfReference(ref.num, ref.gen) }),
      dictionary: this.#dictionary(pageDict),
      resources: this.#dictionary(resources),
      annotations: this.#value(annotations) as PdfArray,
      view,
      rotate,
      userUnit,
    }
  }

  object({ number, generation }: PdfReference): PdfValue {
    const reference = this.#references.get(`${number} ${generation}`)
    if (!reference) throw new RangeError('pdf.js has not mentioned the object')
    return this.#value(this.#document.xref.fetch(reference))
  }

  async readAppearance(index: number, number: number): ReturnType<SecondViewer['readAppearance']> {
    const appearance = await readAppearance(await this.#foreignPage(index), number)
    if (typeof appearance === 'string' || 'fromDocument' in appearance) return appearance
    const { resources, unused, fontName, ...shape } = appearance
    const foreign = resources as unknown as ForeignDictionary | undefined
    const raw = [...(foreign?.getRawEntries() ?? [])].filter(([key]) => !unused.includes(key))
    const entries = new Map(raw.map(([key, value]) => [key, this.#value(value)]))
    return { ...shape, resources: withFont(entries, fontName) }
  }

  async #foreignPage(index: number): Promise<ForeignPage> {
    const isListed =
      this.pageCount > MAX_PAGES_BY_COUNT && index !== this.#document.linearization?.pageFirst
    return isListed ? this.#listedPage(index) : this.#document.getPage(index)
  }

  /** A page from the list of all; made as pdf.js makes it. */
  async #listedPage(pageIndex: number): Promise<ForeignPage> {
    this.#listed ??= this.#document.catalog.getAllPageDicts()
    const [pageDict, ref] = (await this.#listed).get(pageIndex) ?? []
    if (!pageDict || pageDict instanceof Error)
      throw new RangeError('pdf.js does not find the page')
    const first = await this.#document.getPage(0)
    const { _globalIdFactory: globalIdFactory } = this.#document
    const parts = { ...first, globalIdFactory, pageIndex, pageDict, ref }
    return new (first.constructor as MakePage)(parts)
  }

  #dictionary(dictionary: ForeignDictionary, depth = 0): PdfDictionary {
    const entries = [...dictionary.getRawEntries()]
    return new Map(entries.map(([key, value]) => [key, this.#value(value, depth + 1)]))
  }

  #value(value: unknown, depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new RangeError('values are nested too deeply')
    if (value === null || value === undefined) return null
    if (typeof value === 'boolean' || typeof value === 'number') return value
    if (typeof value === 'string') return new PdfString(bytesOf(value))
    if (Array.isArray(value)) return value.map((item) => this.#value(item, depth + 1))
    if (isStream(value)) return this.#stream(value)
    if (isForeignDictionary(value)) return this.#dictionary(value, depth)
    if (isReference(value)) {
      this.#references.set(`${value.num} ${value.gen}`, value)
      return new PdfReference(value.num, value.gen)
    }
    if (isName(value)) return new PdfName(value.name)
    throw new TypeError('pdf.js read what is not a value')
  }

  #stream(stream: ForeignStream): SecondStream {
    const data = stream.getOriginalStream()
    const { start, end } = 'start' in data ? data : data.stream
    return new SecondStream(this.#dictionary(stream.dict), start, end - start)
  }
}

const fontOf = (entries: Readonly<Record<string, string>>): PdfDictionary =>
  new Map(
    Object.entries({ Type: 'Font', ...entries }).map(([key, name]) => [key, new PdfName(name)]),
  )

/** pdf.js writes with Helvetica where resources lack a font, and encodes the text so. */
const SUBSTITUTE = fontOf({
  Subtype: 'Type1',
  BaseFont: 'Helvetica',
  Encoding: 'WinAnsiEncoding',
})
/** Marks of check boxes and radio buttons; the font has an encoding of its own. */
const MARKS = fontOf({ Subtype: 'Type1', BaseFont: 'ZapfDingbats' })
/** The kind of font that only pdf.js knows. */
const FALLBACK = 'FallbackType'

const isFallback = (subtype: PdfValue | undefined): boolean =>
  subtype instanceof PdfName && subtype.value === FALLBACK

/** The resources of text; fonts that are an object of their own are taken as they are. */
function withFont(resources: PdfDictionary, fontName: string | undefined): PdfDictionary {
  const fonts = resources.get('Font') ?? new Map<string, PdfValue>()
  if (!isDictionary(fonts)) return resources
  const known = [...fonts].map(([name, font]): [string, PdfValue] => [
    name,
    isDictionary(font) && isFallback(font.get('Subtype')) ? MARKS : font,
  ])
  const isMissing = fontName !== undefined && !fonts.has(fontName)
  if (!isMissing && known.length === 0) return resources
  const added: [string, PdfValue][] = isMissing ? [[fontName, SUBSTITUTE]] : []
  return new Map([...resources, ['Font', new Map([...known, ...added])]])
}

/** One character per byte; other characters lose bits, which shows that they are not bytes. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function isReference(value: object): value is ForeignReference {
  return 'num' in value && 'gen' in value
}

function isForeignDictionary(value: object): value is ForeignDictionary {
  return 'getRawEntries' in value
}

function isStream(value: object): value is ForeignStream {
  return 'getOriginalStream' in value && 'dict' in value
}

/** An operator (`cmd`) also has no value. */
function isName(value: object): value is { name: string } {
  return 'name' in value && typeof value.name === 'string'
}
