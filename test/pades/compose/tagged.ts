/** Walks the structure of a PDF by rules of PDF/UA-1 (ISO 14289-1; veraPDF names the clauses). */
import { Buffer } from 'node:buffer'
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  type PDFObject,
} from 'pdf-lib'
import { fileFaults } from './file-rules.ts'
import { glyphFaults } from './glyph-rules.ts'

interface Element {
  type: string
  dictionary: PDFDict
  kids: Element[]
  /** `page:id` of each marked content, pages from 0. */
  contents: string[]
}

const KIDS: Readonly<Record<string, readonly string[]>> = {
  Document: ['H1', 'H2', 'H3', 'P', 'Div', 'Table', 'L', 'Figure'],
  Div: ['P'],
  Table: ['TR', 'THead', 'TBody'],
  THead: ['TR'],
  TBody: ['TR'],
  TR: ['TH', 'TD'],
  L: ['LI'],
  LI: ['LBody'],
}
const HEADER_LENGTH = '%PDF-1.7'.length
const name = (value: PDFObject | undefined) =>
  value instanceof PDFName ? value.decodeText() : undefined
const at = (dictionary: PDFDict, key: string) => dictionary.lookup(PDFName.of(key))
const dictionaryAt = (dictionary: PDFDict, key: string): PDFDict | undefined => {
  const value = at(dictionary, key)
  return value instanceof PDFDict ? value : undefined
}

class Walk {
  readonly faults: string[] = []
  readonly #document: PDFDocument
  readonly #pages: readonly PDFRef[]
  readonly #elements: Element[] = []
  /** Elements by the key of their reference. */
  readonly #byReference = new Map<string, Element>()

  constructor(document: PDFDocument) {
    this.#document = document
    this.#pages = document.getPages().map(({ ref }) => ref)
  }

  run(): string[] {
    this.#catalog()
    const tree = dictionaryAt(this.#document.catalog, 'StructTreeRoot')
    if (!tree) return [...this.faults, '7.1: no structure tree']
    const reference = tree.get(PDFName.of('K'))
    const root = this.#read(reference, undefined, tree)
    if (root?.type !== 'Document') this.#fault('7.1: the root is not a Document')
    for (const element of this.#elements) this.#judge(element)
    this.#headings()
    this.#contents(tree)
    this.#fonts()
    return this.faults
  }

  #fault(text: string): void {
    this.faults.push(text)
  }

  #catalog(): void {
    const { catalog } = this.#document
    if (String(dictionaryAt(catalog, 'MarkInfo')?.get(PDFName.of('Marked'))) !== 'true') {
      this.#fault('6.2: not marked')
    }
    if (!at(catalog, 'Lang')) this.#fault('7.2: no language')
    const preferences = dictionaryAt(catalog, 'ViewerPreferences')
    if (String(preferences?.get(PDFName.of('DisplayDocTitle'))) !== 'true') {
      this.#fault('7.1: the title is not displayed')
    }
    const metadata = at(catalog, 'Metadata')
    const packet = metadata instanceof PDFRawStream ? Buffer.from(metadata.contents).toString() : ''
    if (!/<dc:title>.*<rdf:li[^>]*>[^<]+</.test(packet)) this.#fault('7.1: no title in metadata')
    const isNamed = packet.includes('xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"')
    if (!isNamed || !packet.includes('<pdfuaid:part>1</pdfuaid:part>')) {
      this.#fault('5: the metadata do not name the standard')
    }
  }

  #read(reference: PDFObject | undefined, parent: PDFObject | undefined, root: PDFDict) {
    if (!(reference instanceof PDFRef)) {
      this.#fault('an element is not an object of its own')
      return undefined
    }
    const dictionary = this.#document.context.lookup(reference, PDFDict)
    const element: Element = {
      type: name(at(dictionary, 'S')) ?? '',
      dictionary,
      kids: [],
      contents: [],
    }
    this.#elements.push(element)
    this.#byReference.set(String(reference), element)
    const up = dictionary.get(PDFName.of('P'))
    const isRight = parent ? up === parent : up instanceof PDFRef && at(dictionary, 'P') === root
    if (!isRight) this.#fault(`${element.type} does not know its parent`)
    const kids = at(dictionary, 'K')
    const list = kids instanceof PDFArray ? kids.asArray() : [dictionary.get(PDFName.of('K'))]
    for (const kid of list) if (kid) this.#kid(element, kid, reference, root)
    return element
  }

  #kid(element: Element, kid: PDFObject, reference: PDFRef, root: PDFDict): void {
    if (kid instanceof PDFNumber) {
      const page = this.#pageOf(element.dictionary)
      element.contents.push(`${page}:${kid.asNumber()}`)
    } else if (kid instanceof PDFDict) {
      element.contents.push(`${this.#pageOf(kid)}:${String(at(kid, 'MCID'))}`)
    } else {
      const child = this.#read(kid, reference, root)
      if (child) element.kids.push(child)
    }
  }

  #pageOf(dictionary: PDFDict): number {
    return this.#pages.findIndex((page) => page === dictionary.get(PDFName.of('Pg')))
  }

  #judge({ type, dictionary, kids, contents }: Element): void {
    const permitted = KIDS[type]
    for (const kid of kids) {
      if (!permitted?.includes(kid.type)) this.#fault(`7.2: ${kid.type} in ${type}`)
    }
    if (permitted && contents.length > 0) this.#fault(`7.2: contents directly in ${type}`)
    const attributes = dictionaryAt(dictionary, 'A')
    if (type === 'TH' && !attributes?.get(PDFName.of('Scope'))) this.#fault('7.5: TH without scope')
    if (type === 'Figure') {
      const alt = at(dictionary, 'Alt')
      if (!(alt instanceof PDFHexString) || alt.decodeText() === '') this.#fault('7.3: no Alt')
      if (!attributes?.get(PDFName.of('BBox'))) this.#fault('7.3: a figure without its box')
    }
    if (type === 'Table') {
      const [head, body] = ['THead', 'TBody'].map(
        (part) => kids.filter((kid) => kid.type === part).length,
      )
      if ((head ?? 0) > 1 || (head === 1 && body === 0)) this.#fault('7.2: parts of a table')
      const rows = kids.flatMap((kid) => (kid.type === 'TR' ? [kid] : kid.kids))
      const widths = new Set(rows.map((row) => row.kids.length))
      if (rows.length === 0 || widths.size !== 1) this.#fault('7.2: rows of other lengths')
    }
    if (type === 'L' && kids.length === 0) this.#fault('7.2: an empty list')
  }

  #headings(): void {
    let last = 0
    for (const { type } of this.#elements) {
      const level = Number(/^H([1-6])$/.exec(type)?.[1] ?? 0)
      if (level > last + 1) this.#fault(`7.4.2: ${type} after H${last}`)
      if (level > 0) last = level
    }
    if (last === 0) this.#fault('7.4.2: no heading')
  }

  /** Everything on a page is an artifact or belongs to the element that the parent tree names. */
  #contents(tree: PDFDict): void {
    const numbers = dictionaryAt(tree, 'ParentTree')?.lookup(PDFName.of('Nums'), PDFArray)
    const parents = new Map<number, PDFArray>()
    for (let index = 0; index < (numbers?.size() ?? 0); index += 2) {
      const key = numbers?.lookup(index, PDFNumber).asNumber() ?? -1
      parents.set(key, numbers?.lookup(index + 1, PDFArray) as PDFArray)
    }
    const claimed = this.#elements.flatMap(({ contents }) => contents)
    if (new Set(claimed).size !== claimed.length) this.#fault('a content belongs to two elements')
    const unread = new Set(claimed)
    for (const [page, { node }] of this.#document.getPages().entries()) {
      if (name(at(node, 'Tabs')) !== 'S') this.#fault('7.18.3: tabs do not follow the structure')
      const list = parents.get(
        (at(node, 'StructParents') as PDFNumber | undefined)?.asNumber() ?? -1,
      )
      for (const id of this.#marked(node)) {
        const element = this.#byReference.get(String(list?.get(id)))
        if (!element?.contents.includes(`${page}:${id}`)) this.#fault(`7.1: ${page}:${id} is lost`)
        unread.delete(`${page}:${id}`)
      }
    }
    if (unread.size > 0) this.#fault(`contents that no page has: ${[...unread].join()}`)
  }

  /** Numbers of the marked contents of a page; nothing else but artifacts may be drawn. */
  #marked(node: PDFDict): number[] {
    const stream = at(node, 'Contents') as PDFRawStream
    const source = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
    const ids: number[] = []
    let isOpen = false
    for (const line of source.split('\n')) {
      const begin = /^\/(\w+) (?:<<\/MCID (\d+)>> BDC|<<.*>> BDC|BMC)$/.exec(line)
      if (begin) {
        if (isOpen) this.#fault('7.1: marked content in marked content')
        isOpen = true
        if (begin[2] !== undefined) ids.push(Number(begin[2]))
        else if (begin[1] !== 'Artifact') this.#fault(`7.1: ${begin[1]} without a number`)
      } else if (line === 'EMC') isOpen = false
      else if (!isOpen) this.#fault(`7.1: neither tagged nor an artifact: ${line}`)
    }
    if (isOpen) this.#fault('7.1: a marked content does not end')
    return ids
  }

  #fonts(): void {
    for (const [, object] of this.#document.context.enumerateIndirectObjects()) {
      if (!(object instanceof PDFDict) || name(at(object, 'Type')) !== 'Font') continue
      if (name(at(object, 'Subtype')) !== 'Type0') continue
      const descendant = object.lookup(PDFName.of('DescendantFonts'), PDFArray).lookup(0, PDFDict)
      const descriptor = dictionaryAt(descendant, 'FontDescriptor')
      const isEmbedded = ['FontFile2', 'FontFile3'].some((key) => descriptor && at(descriptor, key))
      if (!isEmbedded) this.#fault('7.21.4: a font that is not embedded')
    }
  }
}

/** What the file lacks of PDF/UA-1, by clause. */
export async function taggingFaults(bytes: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  const header = Buffer.from(bytes.subarray(0, HEADER_LENGTH)).toString('latin1')
  const version = /^%PDF-1\.[0-7]$/.test(header) ? [] : ['6.1: not a version of PDF 1']
  const faults = new Walk(document).run()
  return [...version, ...faults, ...fileFaults(document), ...glyphFaults(document)]
}
