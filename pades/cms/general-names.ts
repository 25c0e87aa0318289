/** Reads names of the type GeneralName (RFC 5280, 4.2.1.6). */

import { Buffer } from 'node:buffer'
import { TAG } from './der.ts'
import { DerError } from './der-reader.ts'
import { readObjectIdentifier } from './der-values.ts'
import type { DerElement } from './der-reader.ts'

/** Forms of a GeneralName, by the number of their tag. */
const FORMS = [
  'otherName',
  'rfc822Name',
  'dNSName',
  'x400Address',
  'directoryName',
  'ediPartyName',
  'uniformResourceIdentifier',
  'iPAddress',
  'registeredID',
] as const

export type NameForm = (typeof FORMS)[number]

/** Forms whose value has elements of its own. */
const CONSTRUCTED: ReadonlySet<NameForm> = new Set<NameForm>([
  'otherName',
  'x400Address',
  'directoryName',
  'ediPartyName',
])

/** A name as read; the value is not checked. */
export interface GeneralName {
  readonly form: NameForm
  /** Content octets; for a directory name the DER of the Name. */
  readonly value: Uint8Array
  /** Dotted OID of the type of an `otherName`. */
  readonly otherType?: string
}

/** @throws DerError when it is not a GeneralName */
export function readGeneralName(element: DerElement): GeneralName {
  const form = FORMS[element.tag & 0x1f]
  const isConstructed = (element.tag & 0x20) !== 0
  if ((element.tag & 0xc0) !== TAG.context || !form || CONSTRUCTED.has(form) !== isConstructed) {
    throw new DerError('not a GeneralName')
  }
  if (form === 'directoryName') {
    return { form, value: element.child(0).as(TAG.sequence).encoded }
  }
  if (form === 'otherName') {
    const value = element.child(1).as(TAG.contextConstructed).child(0).encoded
    return { form, value, otherType: readObjectIdentifier(element.child(0)) }
  }
  return { form, value: element.content }
}

/** Text of a name that is an IA5String. */
export const textOfName = ({ value }: GeneralName): string => Buffer.from(value).toString('latin1')
