/** Masks an address or number so that its owner recognises it, but others do not learn it. */

/** Country calling codes by length (ITU-T E.164, assigned zones). */
const CALLING_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/
/** The last digits would reveal too much of a shorter number. */
const MINIMUM_DIGITS = 7
const SHOWN_DIGITS = 3

const firstOf = (text: string) => [...text][0] ?? ''

function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  const ending = dot > 0 ? domain.slice(dot) : ''
  return `${firstOf(address.slice(0, at))}***@${firstOf(domain)}***${ending}`
}

function maskPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  if (digits.length < MINIMUM_DIGITS) return '*** ***'
  const code = phone.trim().startsWith('+') ? (CALLING_CODE.exec(digits)?.[0] ?? '') : ''
  return `${code ? `+${code} ` : ''}*** *** ${digits.slice(-SHOWN_DIGITS)}`
}

/**
 * Masks an e-mail address (`j***@e***.sk`) or a telephone number (`+421 *** *** 123`).
 *
 * @param contact treated as an address if it contains an `@`
 */
export function maskContact(contact: string): string {
  return contact.includes('@') ? maskEmail(contact) : maskPhone(contact)
}
