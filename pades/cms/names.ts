/** Distinguished names: written as DER (RFC 5280, 4.1.2.4), shown as text (RFC 4514). */

import { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'
import { objectIdentifier, printableString, sequence, setOf, utf8String } from './der.ts'
import { readDer } from './der-reader.ts'
import { readObjectIdentifier, readText } from './der-values.ts'
import type { DerElement } from './der-reader.ts'
import { OID } from './object-identifiers.ts'

/**
 * A subject by its attributes; they are written in this order. Longer values than the upper bounds
 * of RFC 5280 (64 for a common name) stay whole, as ETSI EN 319 412-2, 4.2.4 allows.
 */
export interface DistinguishedName {
  countryName?: string
  organizationName?: string
  organizationIdentifier?: string
  organizationalUnitName?: string
  surname?: string
  givenName?: string
  serialNumber?: string
  commonName?: string
}

/** Order of writing, outermost first. */
const WRITTEN = [
  'countryName',
  'organizationName',
  'organizationIdentifier',
  'organizationalUnitName',
  'surname',
  'givenName',
  'serialNumber',
  'commonName',
] as const satisfies readonly (keyof DistinguishedName)[]

const TYPES = Object.fromEntries(WRITTEN.map((key) => [key, objectIdentifier(OID[key])]))
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/
const CONTROL = /\p{Cc}+/gu

/** Well-formed, composed (RFC 5280, 7.1), without the control characters that mislead readers. */
const cleaned = (text: string) => text.toWellFormed().normalize('NFC').replace(CONTROL, ' ').trim()

function attributeValue(key: keyof DistinguishedName, text: string): Uint8Array {
  const printable = key === 'countryName' || key === 'serialNumber'
  return printable && PRINTABLE.test(text) ? printableString(text) : utf8String(text)
}

/**
 * Writes a name as DER, text as UTF8String; control characters become spaces.
 *
 * @throws PadesError `BAD_NAME` when no attribute has a value
 */
export function encodeName(name: DistinguishedName): Uint8Array {
  const relativeNames: Uint8Array[] = []
  for (const key of WRITTEN) {
    const text = cleaned(name[key] ?? '')
    if (!text) continue
    relativeNames.push(setOf(sequence(TYPES[key], attributeValue(key, text))))
  }
  if (relativeNames.length === 0) throw new PadesError('BAD_NAME')
  return sequence(...relativeNames)
}

/** Short names of RFC 4514, 3, and what is common beside them. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  [OID.commonName]: 'CN',
  [OID.surname]: 'SN',
  [OID.givenName]: 'GN',
  [OID.serialNumber]: 'serialNumber',
  [OID.countryName]: 'C',
  [OID.localityName]: 'L',
  [OID.stateOrProvinceName]: 'ST',
  [OID.streetAddress]: 'STREET',
  [OID.organizationName]: 'O',
  [OID.organizationalUnitName]: 'OU',
  [OID.organizationIdentifier]: 'organizationIdentifier',
  [OID.title]: 'title',
  [OID.pseudonym]: 'pseudonym',
  [OID.domainComponent]: 'DC',
  [OID.emailAddress]: 'emailAddress',
}

interface Attribute {
  type: string
  /** Undefined when the value is not text. */
  text: string | undefined
  encoded: Uint8Array
}

function readAttribute(element: DerElement): Attribute {
  const value = element.child(1)
  return {
    type: readObjectIdentifier(element.child(0)),
    text: textOrUndefined(value),
    encoded: value.encoded,
  }
}

function textOrUndefined(element: DerElement): string | undefined {
  try {
    return readText(element)
  } catch {
    return undefined
  }
}

const NEEDS_ESCAPE = /["+,;<>\\\p{Cc}]|^[ #]| $/u

function escaped(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return text
    .replace(/["+,;<>\\]/g, '\\$&')
    .replace(/^[ #]| $/g, '\\$&')
    .replace(CONTROL, (found) =>
      [...new TextEncoder().encode(found)]
        .map((octet) => `\\${octet.toString(16).padStart(2, '0')}`)
        .join(''),
    )
}

function shown({ type, text, encoded }: Attribute): string {
  const name = SHORT_NAMES[type] ?? type
  return text === undefined
    ? `${name}=#${Buffer.from(encoded).toString('hex')}`
    : `${name}=${escaped(text)}`
}

/** Reads a DER name without use for it. @throws DerError when it is none */
export function assertName(name: Uint8Array): void {
  for (const relative of readDer(name).children) {
    for (const attribute of relative.children) {
      readObjectIdentifier(attribute.child(0))
      void attribute.child(1)
    }
  }
}

/** A DER name as text, innermost attribute first (RFC 4514). @throws DerError */
export function nameToText(name: Uint8Array): string {
  return readDer(name)
    .children.map((relative) => relative.children.map(readAttribute).map(shown).join('+'))
    .reverse()
    .join(',')
}

/** Text of the last attribute of that type in a DER name. @throws DerError */
export function nameAttribute(name: Uint8Array, type: string): string | undefined {
  return readDer(name)
    .children.flatMap((relative) => relative.children.map(readAttribute))
    .findLast((attribute) => attribute.type === type)?.text
}

/** Content octets of all values of the attributes of that type in a DER name. @throws DerError */
export const nameAttributeValues = (name: Uint8Array, type: string): Uint8Array[] =>
  readDer(name)
    .children.flatMap((relative) => relative.children)
    .filter((attribute) => readObjectIdentifier(attribute.child(0)) === type)
    .map((attribute) => attribute.child(1).content)
