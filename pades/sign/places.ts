/** Finds where on the pages signatures are drawn (ISO 32000-2, 12.5.2 and 12.7.5.5). */
import { type PlacedRectangle, placeOnPage } from '../appearance/geometry.ts'
import { PadesError } from '../errors.ts'
import type { Page } from '../pdf/page-tree.ts'
import type { PdfReference } from '../pdf/values.ts'
import type { Placement, SignerRequest } from './request.ts'

/** A rectangle and the page object on which it lies. */
export interface Place extends PlacedRectangle {
  readonly pageIndex: number
  readonly page: PdfReference
}

/**
 * Finds the places of a signer on the pages.
 *
 * @throws PadesError `PAGE_MISSING`, `BAD_PLACEMENT`
 */
export function placesOf(pages: readonly Page[], signer: SignerRequest): Place[] {
  if (signer.places.length === 0) throw new PadesError('BAD_PLACEMENT')
  return signer.places.map((placement) => placeOf(pages, placement))
}

function placeOf(pages: readonly Page[], placement: Placement): Place {
  const pageIndex = placement.page - 1
  const page = pages[pageIndex]
  if (!page?.reference) throw new PadesError('PAGE_MISSING')
  const placed = placeOnPage(page.geometry, placement)
  const { width, height } = placed.size
  const isFinite = [...placed.rect, width, height].every(Number.isFinite)
  if (!isFinite || width <= 0 || height <= 0) throw new PadesError('BAD_PLACEMENT')
  return { ...placed, pageIndex, page: page.reference }
}

/**
 * A rectangle of zero size on page 1 makes a field invisible (12.7.5.5).
 *
 * @throws PadesError `NO_PAGES`
 */
export function invisiblePlace(pages: readonly Page[]): Place {
  const page = pages[0]?.reference
  if (!page) throw new PadesError('NO_PAGES')
  return {
    pageIndex: 0,
    page,
    rect: [0, 0, 0, 0],
    size: { width: 0, height: 0 },
    matrix: [1, 0, 0, 1, 0, 0],
  }
}
