/** Pictures in the evidence: the image of each signature with its places, and the QR code. */
import { encode } from 'uqr'
import type { ParticipantView } from '../../domain/cases/lifecycle.ts'
import type { Block } from '../../pades/index.ts'
import { signatureContent } from '../finalise/signers.ts'
import type { Evidence } from './input.ts'
import type { PlaceValues } from './texts.ts'

const SIGNATURE_SIZE_PT = { widthPt: 150, heightPt: 56 } as const
const LOGO_SIZE_PT = { widthPt: 130, heightPt: 40 } as const
/** Modules of half a millimetre and more are read by telephones from paper. */
const CODE_SIZE_PT = { widthPt: 92, heightPt: 92 } as const
/** ISO/IEC 18004 asks for four light modules around the code. */
const QUIET_ZONE_MODULES = 4
const MILLIMETRES_PER_POINT = 25.4 / 72
const PERCENT = 100

/** Where a signature is, in millimetres; in shares of the page when that is all that is known. */
function placeValues({
  page,
  x,
  y,
  width,
  height,
  unit,
  pageSize,
}: ReturnType<typeof signatureContent>['places'][number]): PlaceValues {
  const isShare = unit === 'fraction' || pageSize !== undefined
  const whole = unit === 'fraction' ? { width: 1, height: 1 } : pageSize
  const across = whole ? PERCENT / whole.width : MILLIMETRES_PER_POINT
  const down = whole ? PERCENT / whole.height : MILLIMETRES_PER_POINT
  return {
    page,
    left: Math.round(x * across),
    top: Math.round(y * down),
    width: Math.round(width * across),
    height: Math.round(height * down),
    unit: isShare ? '%' : 'mm',
  }
}

/** The image of a participant's signature with the pages and places of the signed document. */
export function signatureFigure(
  { input, texts }: Evidence,
  { definition, signature }: ParticipantView,
): Block[] {
  if (!signature) return []
  const drawing = input.drawings?.get(signature.drawing.sha256)
  const words = texts.participants
  const places = signatureContent(signature, definition).places.map((place) =>
    words.placeOnPage(placeValues(place)),
  )
  const name = `${definition.firstName} ${definition.lastName}`
  if (!drawing) return [{ kind: 'paragraph', text: [words.places, ...places].join('\n') }]
  return [
    {
      kind: 'figure',
      picture: { drawing },
      alt: words.pictureOf(name),
      ...SIGNATURE_SIZE_PT,
      lines: [words.places, ...places],
    },
  ]
}

/** The logo of the tenant with the name of the sender, and a note on who chose it. */
export function logoBlocks({ input, texts }: Evidence): Block[] {
  const { logo, signatureCase } = input
  if (!logo) return []
  const { name } = signatureCase.spec.definition.sender ?? {}
  const { of, chosenBySender } = texts.logo
  return [
    {
      kind: 'figure',
      picture: { drawing: logo },
      alt: of(name),
      ...LOGO_SIZE_PT,
      lines: [name ?? signatureCase.metadata.namespace, chosenBySender],
    },
  ]
}

/** A service has one address; computing its code takes more than a millisecond. */
let lastCode: { address: string; modules: boolean[][] } | undefined

function codeOf(address: string): boolean[][] {
  if (lastCode?.address !== address) {
    const { data } = encode(address, { ecc: 'M', border: QUIET_ZONE_MODULES })
    lastCode = { address, modules: data }
  }
  return lastCode.modules
}

/** The address of the verification page, with its QR code. */
export function verificationFigure({ texts }: Evidence, address: string): Block {
  const words = texts.verification
  return {
    kind: 'figure',
    picture: { modules: codeOf(address) },
    alt: words.codeOf(address),
    ...CODE_SIZE_PT,
    lines: [address, words.byPage, words.byPageCaution],
  }
}
