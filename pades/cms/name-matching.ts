/** Compares names with the subtrees of name constraints, form by form (RFC 5280, 4.2.1.10, 7.1). */

import { Buffer } from 'node:buffer'
import { compareOctets, TAG } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import { readObjectIdentifier, readText } from './der-values.ts'
import type { DerElement } from './der-reader.ts'
import { textOfName } from './general-names.ts'
import type { GeneralName } from './general-names.ts'

/** A domain name as it is compared; labels are ASCII, case does not count (7.2). */
const hostOf = (text: string): string => text.toLowerCase().replace(/\.$/, '')

/** A mailbox: what precedes the last `@` counts by the letter, the host without case (7.5). */
interface Mailbox {
  readonly local: string | undefined
  readonly host: string
}

function mailboxOf(text: string): Mailbox {
  const at = text.lastIndexOf('@')
  const local = at === -1 ? undefined : text.slice(0, at)
  return { local, host: hostOf(text.slice(at + 1)) }
}

/** Whether a host is the one that is named, or below it where a period precedes the name. */
const hostMatches = (host: string, subtree: string): boolean =>
  subtree.startsWith('.')
    ? host.endsWith(subtree) && host.length > subtree.length
    : host === subtree

function mailMatches(mailbox: Mailbox, subtree: string): boolean {
  if (subtree === '') return true
  if (!subtree.includes('@')) return hostMatches(mailbox.host, hostOf(subtree))
  const { local, host } = mailboxOf(subtree)
  return mailbox.local === local && mailbox.host === host
}

/** Labels added to the left are within the subtree. */
function domainMatches(domain: string, subtree: string): boolean {
  if (subtree === '') return true
  if (subtree.startsWith('.')) return hostMatches(domain, subtree)
  return domain === subtree || domain.endsWith(`.${subtree}`)
}

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:[\]]+)(?::\d*)?(?:[/?#]|$)/i
const DOMAIN = /^(?=.*[a-z])[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i

/** The host of a URI. @throws DerError when that is not a domain name, as 4.2.1.10 demands */
function hostOfUri(uri: string): string {
  const host = hostOf(AUTHORITY.exec(uri)?.[1] ?? '')
  if (!DOMAIN.test(host)) throw new DerError('a URI without a domain name')
  return host
}

/** An address and its mask, or an address alone (IPv4: 4 octets each; IPv6: 16). */
function addressMatches(address: Uint8Array, subtree: Uint8Array): boolean {
  const size = subtree.length / 2
  if (size !== 4 && size !== 16) throw new DerError('not an address and its mask')
  if (address.length !== 4 && address.length !== 16) throw new DerError('not an address')
  if (address.length !== size) return false
  return address.every((octet, i) => ((octet ^ subtree[i]) & subtree[size + i]) === 0)
}

const UNIVERSAL_STRING = 0x1c
const BYTES_OF_CODE_POINT = 4

/** Text of a UniversalString, four octets for each character. @throws DerError */
function readUniversalText(octets: Uint8Array): string {
  const view = Buffer.from(octets)
  const text: string[] = []
  for (let at = 0; at + BYTES_OF_CODE_POINT <= view.length; at += BYTES_OF_CODE_POINT) {
    const codePoint = view.readUInt32BE(at)
    if (codePoint > 0x10ffff) throw new DerError('not a text')
    text.push(String.fromCodePoint(codePoint))
  }
  return text.join('')
}

const TEXT_TAGS: ReadonlySet<number> = new Set([
  TAG.utf8String,
  TAG.printableString,
  TAG.teletexString,
  TAG.bmpString,
  TAG.ia5String,
  TAG.visibleString,
])

/** Characters that are mapped to nothing before texts are compared (RFC 4518, 2.2). */
const UNSEEN = /\p{Cf}|\p{Variation_Selector}|\u034f|\ufffc/gu

/** RFC 4518, 2: case, and how much white space there is, do not count. */
const preparedText = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** An attribute as it is compared: what is not a text by its DER. */
function attributeKey(element: DerElement): string {
  const value = element.child(1)
  const type = readObjectIdentifier(element.child(0))
  if (value.tag === UNIVERSAL_STRING) {
    return `${type}=${preparedText(readUniversalText(value.content))}`
  }
  if (!TEXT_TAGS.has(value.tag)) return `${type}#${Buffer.from(value.encoded).toString('hex')}`
  return `${type}=${preparedText(readText(value))}`
}

/** The relative names of a Name, outermost first, as they are compared. @throws DerError */
export const relativeNameKeys = (name: Uint8Array): string[] =>
  readDer(name).children.map((relative) =>
    JSON.stringify(relative.as(TAG.set).children.map(attributeKey).sort()),
  )

function directoryMatches(name: Uint8Array, subtree: Uint8Array): boolean {
  const own = relativeNameKeys(name)
  return relativeNameKeys(subtree).every((key, i) => own[i] === key)
}

/** SmtpUTF8Mailbox, on which constraints of mailboxes count as well (RFC 9598, 3 and 6). */
const UTF8_MAILBOX = '1.3.6.1.5.5.7.8.9'

function utf8MailboxOf({ value }: GeneralName): Mailbox {
  const { local, host } = mailboxOf(readText(readDer(value)))
  return { local, host: hostOf(asciiHost(host)) }
}

/** The labels of a domain name in ASCII (RFC 5890), as the host of a URL has them. */
function asciiHost(host: string): string {
  if (!/^[^/?#@:\\%]+$/.test(host)) throw new DerError('a mailbox without a domain name')
  try {
    return new URL(`http://${host}`).hostname
  } catch (cause) {
    throw new DerError('a mailbox without a domain name', { cause })
  }
}

/**
 * Whether a name is of a kind that a subtree constrains.
 *
 * @param subtree base of a subtree
 */
export function isConstrainedBy(name: GeneralName, subtree: GeneralName): boolean {
  if (name.form === 'otherName' && name.otherType === UTF8_MAILBOX) {
    return subtree.form === 'rfc822Name'
  }
  return name.form === subtree.form && name.otherType === subtree.otherType
}

/**
 * Whether a name lies within a subtree of the same kind.
 *
 * @throws DerError when one of them is malformed, or of a kind for which no rule is known: 4.2.1.10
 *   demands that such a certificate is refused
 */
export function isWithinSubtree(name: GeneralName, subtree: GeneralName): boolean {
  if (name.form === 'otherName' && name.otherType === UTF8_MAILBOX) {
    return mailMatches(utf8MailboxOf(name), textOfName(subtree))
  }
  switch (subtree.form) {
    case 'rfc822Name':
      return mailMatches(mailboxOf(textOfName(name)), textOfName(subtree))
    case 'dNSName':
      return domainMatches(hostOf(textOfName(name)), hostOf(textOfName(subtree)))
    case 'uniformResourceIdentifier':
      return hostMatches(hostOfUri(textOfName(name)), hostOf(textOfName(subtree)))
    case 'iPAddress':
      return addressMatches(name.value, subtree.value)
    case 'directoryName':
      return directoryMatches(name.value, subtree.value)
    default:
      // Equal names are within any subtree of that form; for others no rule is defined.
      if (compareOctets(name.value, subtree.value) === 0) return true
      throw new DerError(`constraints of the form ${subtree.form} are not defined`)
  }
}
