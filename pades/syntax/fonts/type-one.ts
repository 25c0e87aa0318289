/** Judges Type 1 font programs (Adobe Type 1 Font Format, 2 and 7). */
import { Buffer } from 'node:buffer'

/** The key of the encrypted part, and the constants of its cipher (7.1). */
const KEY = 55_665
const FACTOR = 52_845
const ADDEND = 22_719
const START = '%!'
const ENCRYPTED = 'eexec'
const GLYPHS = '/CharStrings'
/** Random octets that begin the encrypted part. */
const RANDOM_OCTETS = 4
const HEXADECIMAL = /^[0-9A-Fa-f\s]{8}/

/** Whether every reader finds the glyphs of a program: they are in its encrypted part. */
export function isTypeOne(program: Buffer): boolean {
  if (program.toString('latin1', 0, START.length) !== START) return false
  const keyword = program.indexOf(ENCRYPTED)
  if (keyword === -1) return false
  const encrypted = encryptedPart(program, keyword + ENCRYPTED.length)
  return decrypt(encrypted).includes(GLYPHS)
}

/** White space follows the keyword; the part is binary or hexadecimal (7.2). */
function encryptedPart(program: Buffer, after: number): Buffer {
  let at = after
  while (at < program.length && ' \t\r\n'.includes(String.fromCharCode(program[at]))) at += 1
  const part = program.subarray(at)
  const isText = HEXADECIMAL.test(part.toString('latin1', 0, 8))
  return isText ? Buffer.from(part.toString('latin1').replaceAll(/\s/g, ''), 'hex') : part
}

function decrypt(part: Buffer): Buffer {
  const plain = Buffer.alloc(part.length)
  let state = KEY
  for (let index = 0; index < part.length; index += 1) {
    const octet = part[index]
    plain[index] = octet ^ (state >> 8)
    state = ((octet + state) * FACTOR + ADDEND) & 0xffff
  }
  return plain.subarray(RANDOM_OCTETS)
}
