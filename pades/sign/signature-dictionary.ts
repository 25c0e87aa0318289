/**
 * The signature dictionary and the widget that shows it (ISO 32000-2, 12.8.1 and 12.5.6.19; ETSI EN
 * 319 142-1, 6.3).
 */
import type { Rectangle } from '../pdf/page-tree.ts'
import { serialise, textSource } from '../pdf/serialise.ts'

/** Print and Locked (table 167). */
const WIDGET_FLAGS = 4 + 128
/** Print, ReadOnly, Locked and LockedContents. */
const STAMP_FLAGS = 4 + 64 + 128 + 512
/** Digits of an offset in `/ByteRange`: the place is reserved before the numbers are known. */
const OFFSET_DIGITS = 10
const BYTE_RANGE_PLACE = `[${Array<string>(4).fill('0'.repeat(OFFSET_DIGITS)).join(' ')}]`
const BYTE_RANGE_KEY = '/ByteRange '
const CONTENTS_KEY = '/Contents '

export interface SignatureDictionaryContent {
  readonly name: string
  readonly reason?: string
  readonly location?: string
  readonly signedAt: Date
}

/** A signature dictionary with room for what is known only after it is hashed. */
export interface SignatureDictionarySource {
  readonly source: string
  /** Offset in `source` of the opening bracket of `/ByteRange`. */
  readonly byteRangeAt: number
  /** Offset in `source` of the `<` of `/Contents`, and behind its `>`. */
  readonly contentsAt: number
  readonly contentsEnd: number
}

export interface WidgetContent {
  readonly fieldName: string
  /** Alternative text for people who cannot see the field. */
  readonly label: string
  readonly rectangle: Rectangle
  readonly page: { readonly number: number; readonly generation: number }
  /** Number of the form XObject; absent while nothing is to be seen. */
  readonly appearance?: number
  /** Number of the signature dictionary; absent before signing. */
  readonly signature?: number
}

/** @param holeBytes octets of the largest CMS object that will fit */
export function signatureDictionarySource(
  content: SignatureDictionaryContent,
  holeBytes: number,
): SignatureDictionarySource {
  const { name, reason, location, signedAt } = content
  const entries =
    '/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached' +
    ` /Name ${textSource(name)} /M ${dateSource(signedAt)}` +
    (reason === undefined ? '' : ` /Reason ${textSource(reason)}`) +
    (location === undefined ? '' : ` /Location ${textSource(location)}`)
  return withRoom(entries, holeBytes)
}

/**
 * A document time-stamp (12.8.5; ETSI EN 319 142-1, 5.4.3): its token says when, so that no `/M` is
 * needed.
 *
 * @param holeBytes octets of the largest token that will fit
 */
export const timeStampDictionarySource = (holeBytes: number): SignatureDictionarySource =>
  withRoom('/Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161', holeBytes)

function withRoom(entries: string, holeBytes: number): SignatureDictionarySource {
  const before = `<< ${entries} ${BYTE_RANGE_KEY}`
  const between = ` ${CONTENTS_KEY}`
  const byteRangeAt = before.length
  const contentsAt = byteRangeAt + BYTE_RANGE_PLACE.length + between.length
  const hole = `<${'00'.repeat(holeBytes)}>`
  return {
    source: `${before}${BYTE_RANGE_PLACE}${between}${hole} >>`,
    byteRangeAt,
    contentsAt,
    contentsEnd: contentsAt + hole.length,
  }
}

/** The array of `/ByteRange`, as long as the place that was reserved for it. */
export function byteRangeSource(byteRange: readonly number[]): string {
  return `[${byteRange.join(' ')}]`.padEnd(BYTE_RANGE_PLACE.length, ' ')
}

/** A signature field that is its own widget. */
export function widgetSource(content: WidgetContent): string {
  const { fieldName, label, rectangle, page, appearance, signature } = content
  return (
    '<< /Type /Annot /Subtype /Widget /FT /Sig' +
    ` /T ${textSource(fieldName)} /TU ${textSource(label)} /F ${WIDGET_FLAGS}` +
    ` /Rect ${serialise([...rectangle])} /P ${page.number} ${page.generation} R` +
    (appearance === undefined ? '' : ` /AP << /N ${appearance} 0 R >>`) +
    (signature === undefined ? '' : ` /V ${signature} 0 R`) +
    ' >>'
  )
}

/** A drawing without a field, which readers do not let people move (12.5.6.12). */
export function stampSource(content: {
  readonly name: string
  readonly label: string
  readonly rectangle: Rectangle
  readonly page: { readonly number: number; readonly generation: number }
  readonly appearance: number
  readonly changedAt: Date
}): string {
  const { name, label, rectangle, page, appearance, changedAt } = content
  return (
    `<< /Type /Annot /Subtype /Stamp /NM ${textSource(name)} /Contents ${textSource(label)}` +
    ` /F ${STAMP_FLAGS} /M ${dateSource(changedAt)} /Rect ${serialise([...rectangle])}` +
    ` /P ${page.number} ${page.generation} R /AP << /N ${appearance} 0 R >> >>`
  )
}

/** A date in UTC to the second (7.9.4). */
function dateSource(date: Date): string {
  return `(D:${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z)`
}
