/**
 * Attacks documents before they are signed: what intake accepts must look the same after signing,
 * in every viewer, as pdf.js shows it to the signers.
 */
import { DenoPdfSandbox } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import { assertSignable, inspect, PadesError, rehearse } from '../../../pades/index.ts'
import { readFields } from '../../../pades/pdf/acro-form.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import type { DrawnAnnotation } from '../../../pades/sign/request.ts'
import { randomFrom } from '../../../test/fixtures/mutations.ts'
import { type Base, openBase } from './base.ts'
import { FORESEEN, SIGNATURE_AREAS, signAsPeople } from './documents.ts'
import {
  compareConfirmed,
  type DrawingTable,
  type Drawn,
  isApprovedAsSigned,
  REFUSED,
  type Verdict,
} from './judge.ts'
import { movesTowards, type Raster, roughlyDiffers } from './raster.ts'
import type { Viewer } from './renderers.ts'
import type { Attempt } from './revisions-mode.ts'
import type { BaseShelf } from './shelf.ts'
import { UPLOAD_CLASSES, type Upload } from './upload-classes.ts'

/** Whether the library alone accepts it; asked first because it is faster than the sandbox. */
async function isSignable(bytes: Buffer): Promise<boolean> {
  try {
    assertSignable(inspect(bytes))
    await rehearse(bytes, FORESEEN)
    return true
  } catch (error) {
    // The sandbox draws annotations without an appearance.
    if (error instanceof PadesError) return error.code === 'UNDRAWN'
    throw error
  }
}

/**
 * Whether all viewers should show what pdf.js shows. Fonts and images of real documents are drawn
 * differently where nothing is ambiguous.
 */
const isComparable = ({ name }: Base): boolean => !name.startsWith('corpus')

/**
 * Whether a viewer that showed something else than the signers saw shows now what they saw, such as
 * one that does not repair a damaged cross-reference.
 */
function isMended(before: Drawn, after: Drawn, viewer: Viewer): boolean {
  const [shown, old, current] = [before.get('pdf.js'), before.get(viewer), after.get(viewer)]
  if (!shown || !old || !current) return false
  return movesTowards(shown, old, current, SIGNATURE_AREAS)
}

/** A flag of annotations (table 167). */
const HIDDEN_FLAG = '2'

/** Lists object numbers of unsigned signature fields. */
const emptySignatureFields = (bytes: Buffer): number[] =>
  readDocument(bytes, (document) =>
    readFields(document).flatMap(({ type, value, reference }) =>
      type === 'Sig' && value === undefined && reference ? [reference.number] : [],
    ),
  )

/** Unsigned documents that are attacked. */
export class UploadTargets {
  readonly #shelf: BaseShelf
  /** The fault of the sandbox on a document, which intake rejects as unreadable. */
  #broken: string | undefined
  readonly #sandbox = new DenoPdfSandbox({
    onBroke: (fault) => {
      this.#broken = fault
    },
  })
  readonly #table: DrawingTable

  constructor(shelf: BaseShelf, table: DrawingTable) {
    this.#shelf = shelf
    this.#table = table
  }

  /**
   * Makes a mutation.
   *
   * @param className one of {@link UPLOAD_CLASSES}
   * @param seed of all that is random in it
   */
  async attempt(className: string, seed: number): Promise<Attempt> {
    const random = randomFrom(seed)
    const base = await this.#shelf.pick(random)
    const upload = UPLOAD_CLASSES[className]?.(base, random)
    if (!upload) throw new Error(`there is no class ${className}`)
    return {
      name: `${className.replace('/', '-')}-${base.name}`,
      bytes: upload.bytes,
      judge: (onValidated) => this.#judge(upload, isComparable(base), onValidated),
    }
  }

  /** Ends the sandbox. */
  async close(): Promise<void> {
    await this.#sandbox.close()
  }

  async #judge(
    { bytes, fill }: Upload,
    isAcrossViewers: boolean,
    onValidated: () => void,
  ): Promise<Verdict> {
    this.#broken = undefined
    const verdict = (await isSignable(bytes)) && (await this.#sandbox.inspect(bytes, FORESEEN))
    onValidated()
    if (this.#broken !== undefined) return { ...REFUSED, fault: this.#broken }
    if (!verdict || verdict.outcome !== 'accepted') return REFUSED
    const signed = await signAsPeople(bytes, false, verdict.drawn)
    const [before, after] = [await this.#table.draw(bytes), await this.#table.draw(signed)]
    const { differences, refusals } = await compareConfirmed(
      this.#table,
      { before: bytes, after: signed },
      before,
      { allowed: SIGNATURE_AREAS },
    )
    const shown = before.get('pdf.js')
    const isKept = (viewer: Viewer) => !verdict.drawn && !isMended(before, after, viewer)
    const changed: string[] = differences.filter(
      (viewer) => viewer === 'pdf.js' || isKept(viewer as Viewer),
    )
    const across = isAcrossViewers ? shown : undefined
    for (const [viewer, rasters] of after) {
      const isOther = across && rasters && roughlyDiffers(across, rasters)
      if (!isOther) continue
      const isMark = viewer === 'mupdf' && (await this.#isMark(bytes, verdict.drawn, across))
      if (!isMark) changed.push(`${viewer} against what signers see`)
    }
    const filled = fill?.(openBase('signed', signed))
    if (filled && (await isApprovedAsSigned(filled))) {
      const documents = { before: signed, after: filled }
      const later = await compareConfirmed(this.#table, documents, after, {})
      changed.push(...later.differences.map((viewer) => `${viewer} after filling`))
    }
    return { passed: true, differences: changed, changedSignatures: [], refusals }
  }

  /**
   * Whether only the marks of MuPDF differ: in place of a field that is to be signed it draws a
   * button, which belongs to the viewer and not to the document.
   */
  async #isMark(
    bytes: Buffer,
    drawn: readonly DrawnAnnotation[] = [],
    shown: readonly Raster[],
  ): Promise<boolean> {
    const hidden = emptySignatureFields(bytes).map((object) => ({
      object,
      entries: { F: HIDDEN_FLAG },
    }))
    if (hidden.length === 0) return false
    const signed = await signAsPeople(bytes, false, [...drawn, ...hidden])
    const rasters = (await this.#table.draw(signed)).get('mupdf')
    return rasters !== undefined && !roughlyDiffers(shown, rasters)
  }
}
