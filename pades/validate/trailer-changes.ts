/** Judges what later revisions changed of the trailer (ISO 32000-2, 7.5.5 and 14.3.3). */

import { PdfString } from '../pdf/values.ts'
import type { PdfDictionary } from '../pdf/values.ts'
import { differingKeys } from './compare-values.ts'
import { permitInRole } from './differences.ts'
import type { Differences, Referrer } from './differences.ts'
import type { History } from './history.ts'

/** Keys of trailers that every revision sets anew. */
const TRAILER_KEYS_OF_A_REVISION: ReadonlySet<string> = new Set([
  'Size',
  'Prev',
  'ID',
  'Type',
  'W',
  'Index',
  'Length',
  'Filter',
  'DecodeParms',
])

/** Judges what a later trailer says otherwise, and the information dictionary. */
export function judgeTrailer(differences: Differences, history: History): void {
  const { before, after, refused } = differences
  const newest = after.sections[0]?.trailer
  if (!newest?.has('Root')) refused.push('trailer')
  for (const key of differingKeys(before.trailer, after.trailer)) {
    if (key !== 'Info' && !TRAILER_KEYS_OF_A_REVISION.has(key)) refused.push(`trailer.${key}`)
  }
  judgeInformation(differences, history)
}

/** Who wrote a revision and when; other entries of the information dictionary stay as they are. */
const INFORMATION_KEYS: ReadonlySet<string> = new Set(['CreationDate', 'ModDate', 'Producer'])

function judgeInformation(differences: Differences, history: History): void {
  const { before, after, refused } = differences
  const [oldValue, current] = [before.trailer.get('Info'), after.trailer.get('Info')]
  const old: PdfDictionary = before.dictionary(oldValue) ?? new Map()
  const information: PdfDictionary = after.dictionary(current) ?? new Map()
  const isHarmless = differingKeys(old, information).every(
    (key) => INFORMATION_KEYS.has(key) && after.resolve(information.get(key)) instanceof PdfString,
  )
  // Only trailers lead there, and cross-reference streams are trailers.
  const isOwner = ({ path }: Referrer) => path === 'Info'
  if (isHarmless) permitInRole(differences, history, { old: oldValue, current }, isOwner)
  else refused.push('trailer.Info')
}
