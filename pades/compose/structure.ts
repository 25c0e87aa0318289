/**
 * The logical structure of a composed document: what programs read aloud (ISO 32000-2, 14.7 and
 * 14.8; ISO 14289-1, PDF/UA-1).
 */
import {
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFRef,
  PDFString,
} from 'pdf-lib'

export type StructureType =
  | 'Document'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'P'
  | 'Div'
  | 'Table'
  | 'THead'
  | 'TBody'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'L'
  | 'LI'
  | 'LBody'
  | 'Figure'

/** A piece of the contents of a page, from 0. */
interface MarkedContent {
  readonly page: number
  /** Number within the page. */
  readonly id: number
}

/** What an element says about itself. */
export interface ElementOptions {
  /** What a header cell is the header of. */
  readonly scope?: 'Row' | 'Column'
  /** What a figure shows, for those who do not see it. */
  readonly alt?: string
  /** BCP 47; when it is not the language of the document. */
  readonly language?: string
}

/** One element of the structure, with its parts in reading order. */
export class StructureElement {
  readonly type: StructureType
  readonly options: ElementOptions
  readonly parts: (StructureElement | MarkedContent)[] = []
  /** Left, bottom, right and top of a figure on its page, in points. */
  box?: readonly [number, number, number, number]

  constructor(type: StructureType, options: ElementOptions = {}) {
    this.type = type
    this.options = options
  }

  /** Adds an element after the parts that are there. */
  add(type: StructureType, options?: ElementOptions): StructureElement {
    const element = new StructureElement(type, options)
    this.parts.push(element)
    return element
  }
}

const NAMES = {
  type: PDFName.of('S'),
  parent: PDFName.of('P'),
  parts: PDFName.of('K'),
  page: PDFName.of('Pg'),
  content: PDFName.of('MCID'),
  attributes: PDFName.of('A'),
  alt: PDFName.of('Alt'),
  language: PDFName.of('Lang'),
} as const

function attributesOf({ type, options, box }: StructureElement): object | undefined {
  if (options.scope) return { O: 'Table', Scope: options.scope }
  if (type === 'L') return { O: 'List', ListNumbering: 'None' }
  return box && { O: 'Layout', Placement: 'Block', BBox: [...box] }
}

/** Writes elements as objects; each knows its parent. */
class Writer {
  readonly #context: PDFContext
  readonly #pages: readonly PDFRef[]
  /** By the page, and by the number of the content in it. */
  readonly parents: PDFRef[][]

  constructor(context: PDFContext, pages: readonly PDFRef[]) {
    this.#context = context
    this.#pages = pages
    this.parents = pages.map(() => [])
  }

  write(element: StructureElement, parent: PDFRef): PDFRef {
    const reference = this.#context.nextRef()
    const dictionary = PDFDict.withContext(this.#context)
    dictionary.set(NAMES.type, PDFName.of(element.type))
    dictionary.set(NAMES.parent, parent)
    const attributes = attributesOf(element)
    if (attributes) dictionary.set(NAMES.attributes, this.#context.obj(attributes as never))
    const { alt, language } = element.options
    if (alt !== undefined) dictionary.set(NAMES.alt, PDFHexString.fromText(alt))
    if (language !== undefined) dictionary.set(NAMES.language, PDFString.of(language))
    const first = element.parts.find((part): part is MarkedContent => 'id' in part)
    if (first) dictionary.set(NAMES.page, this.#pages[first.page])
    const parts = element.parts.map((part) => this.#partOf(part, reference, first?.page))
    if (parts.length > 0) {
      dictionary.set(NAMES.parts, parts.length === 1 ? parts[0] : this.#context.obj(parts))
    }
    this.#context.assign(reference, dictionary)
    return reference
  }

  #partOf(part: StructureElement | MarkedContent, element: PDFRef, page: number | undefined) {
    if (part instanceof StructureElement) return this.write(part, element)
    this.parents[part.page][part.id] = element
    if (part.page === page) return PDFNumber.of(part.id)
    return this.#context.obj({ Type: 'MCR', Pg: this.#pages[part.page], MCID: part.id })
  }
}

/**
 * Adds the structure to a document whose pages have the marked contents (ISO 32000-2, 14.7.2 and
 * 14.7.5.4).
 */
export function writeStructure(document: PDFDocument, root: StructureElement): void {
  const { context, catalog } = document
  const pages = document.getPages()
  const writer = new Writer(
    context,
    pages.map(({ ref }) => ref),
  )
  const tree = context.nextRef()
  const top = writer.write(root, tree)
  const numbers = writer.parents.flatMap((parents, page) => [
    PDFNumber.of(page),
    context.register(context.obj(parents)),
  ])
  const parentTree = context.register(context.obj({ Nums: numbers }))
  const entries = { Type: 'StructTreeRoot', K: top, ParentTree: parentTree }
  context.assign(tree, context.obj({ ...entries, ParentTreeNextKey: pages.length }))
  catalog.set(PDFName.of('StructTreeRoot'), tree)
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }))
  for (const [page, { node }] of pages.entries()) {
    node.set(PDFName.of('StructParents'), PDFNumber.of(page))
    node.set(PDFName.of('Tabs'), PDFName.of('S'))
  }
}
