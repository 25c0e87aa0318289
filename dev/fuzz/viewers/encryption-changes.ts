/**
 * Changes of how a document is encrypted: what readers decrypt, with which key, and what they take
 * for ciphertext (ISO 32000-2, 7.6).
 */
import { Buffer } from 'node:buffer'
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, BLACK, BLACK_FORM, pick, pickTarget, wishFor } from './attacker.ts'
import { type Base, type BaseObject, objectsOf } from './base.ts'
import type { ObjectCipher } from './object-cipher.ts'
import { type Change, rewrite } from './object-changes.ts'
import { type Plan, streamOf } from './revision.ts'
import { DICTIONARY_TRICKS, takeApart } from './syntax.ts'

/** An encryption that leaves everything as it is, to readers that open it. */
const IDENTITY =
  '<< /Filter /Standard /V 4 /R 4 /Length 128 /P -4 /StmF /Identity /StrF /Identity' +
  ` /CF << /StdCF << /CFM /AESV2 >> >> /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> >>`

/** A change of an encrypted document; one that is not encrypted gets an encryption. */
const encrypted =
  (change: (plan: Plan, base: Base, cipher: ObjectCipher, random: Random) => void): Change =>
  (plan, base, random) => {
    if (base.cipher) return change(plan, base, base.cipher, random)
    const page = pickTarget(base, random, 'page')
    if (random(2) === 0) rewrite(plan, page, page.source)
    add(plan, base, '(nothing)')
    plan.editTrailer.push((entries) => `${entries} /Encrypt ${IDENTITY}`)
  }

/** Entries for which some readers leave a stream as it is. */
const EXEMPTIONS = [
  '',
  '/Type /XRef',
  '/Type /ObjStm',
  '/Type /Metadata',
  '/Type /Metadata /Subtype /XML',
  '/Filter /Crypt',
  '/Filter [/Crypt]',
  '/Filter /Crypt /DecodeParms << /Name /Identity >>',
  '/Filter [/Crypt] /DecodeParms [<< /Name /Identity >>]',
  '/Filter /Crypt /DecodeParms << /Type /CryptFilterDecodeParms /Name /StdCF >>',
  '/Type /Sig /ByteRange [0 1 2 3]',
] as const

/** The object that the attacker writes instead of a stream: the content of a page, or a form. */
const lookOf = ({ role }: BaseObject) => (role === 'x-object' ? BLACK_FORM : '')

/** A stream that is not encrypted, or encrypted although readers may take it as it is. */
function plainStream(plan: Plan, base: Base, cipher: ObjectCipher, random: Random): void {
  const target = pickTarget(base, random, 'stream', 'x-object')
  const entries = `${lookOf(target)} ${pick(EXEMPTIONS, random)}`
  const data = random(2) === 0 ? BLACK : cipher.encryptData(target, BLACK)
  rewrite(plan, target, streamOf(data, entries)).isAsIs = true
}

/** Ciphertext that readers decrypt, pad or delimit differently. */
function distorted(data: string, random: Random): string {
  const count = 1 + random(17)
  const noise = Buffer.from(Array.from({ length: count }, () => random(256))).toString('latin1')
  const at = random(Math.max(1, data.length))
  const flipped = String.fromCharCode((data.charCodeAt(at) || 0) ^ (1 << random(8)))
  return pick(
    [
      data,
      data.slice(0, -count),
      data.slice(count),
      data + noise,
      noise + data,
      data.slice(0, at) + flipped + data.slice(at + 1),
      data.slice(0, -16) + noise.padEnd(16, noise),
      data + data.slice(-16),
      data.slice(0, 16),
      `${data}\nendstream\n${data}`,
    ],
    random,
  )
}

/** The owner of a key, or a neighbour of it. */
const ownerNear = ({ number, generation }: BaseObject, random: Random) =>
  pick(
    [
      { number, generation },
      { number, generation },
      { number: number + 1, generation },
      { number, generation: generation + 1 },
      { number: 0, generation: 0 },
    ],
    random,
  )

function ciphertext(plan: Plan, base: Base, cipher: ObjectCipher, random: Random): void {
  const target = pickTarget(base, random, 'stream', 'x-object')
  const text = random(2) === 0 ? BLACK : `${BLACK}\n%${'x'.repeat(random(40))}`
  const exact = cipher.encryptData(ownerNear(target, random), text)
  const data = distorted(exact, random)
  const length = pick([data.length, data.length, exact.length, data.length - 1], random)
  const head = `<< ${lookOf(target)} /Length ${length} >>`
  rewrite(plan, target, `${head}\nstream\n${data}\nendstream`).isAsIs = true
}

/** Colours of a palette, which are a string: readers that decrypt it differently paint another. */
function palette(plan: Plan, base: Base, cipher: ObjectCipher, random: Random): void {
  const page = pickTarget(base, random, 'page')
  const owner = ownerNear(page, random)
  const secret = distorted(cipher.encryptString(owner, '\u00ff\0').toString('latin1'), random)
  const colours = Buffer.from(pick(['\u00ff\0', secret, secret], random), 'latin1').toString('hex')
  const space = `[/Indexed /DeviceGray 1 <${colours}>]`
  const isSignature = random(4) === 0 ? '/Type /Sig /ByteRange [0 1 2 3] /Contents <00>' : ''
  const content = add(plan, base, streamOf('/C1 cs 1 sc 20 20 200 120 re f'))
  const resources = `/Resources << /ColorSpace << /C1 ${space} >> ${isSignature} >>`
  const bare = page.source.replace(/\/Contents\s*(?:\[[^\]]*\]|\d+ 0 R)/, '')
  const body = bare.replace(/\/Resources\s*(?:<<[^]*?>>\s*>>|\d+ 0 R)/, '')
  const own = `<< /Contents ${content} 0 R ${resources}`
  rewrite(plan, page, body.replace('<<', own)).isAsIs = true
}

/** Entries of the encryption dictionary that change what is decrypted, or how. */
const ENTRIES: readonly (readonly [key: string, values: readonly string[]])[] = [
  ['StmF', ['/Identity', '/Other', 'null', '(StdCF)']],
  ['StrF', ['/Identity', '/Other', 'null']],
  ['EFF', ['/Identity', '/StdCF', '/Other']],
  ['EncryptMetadata', ['false', 'true', 'null', '0']],
  ['V', ['0', '1', '2', '3', '4', '5', '4.0', 'null']],
  ['R', ['2', '3', '4', '5', '6', '6.0', '7']],
  ['Length', ['40', '128', '256', '16', '5', '0', 'null']],
  ['P', ['-1', '-3904', '4294967292', '-4.0', '0']],
  ['Filter', ['/Identity', '/Other', '/Adobe.PubSec', '[/Standard]']],
  ['CF', ['<< >>', '<< /StdCF << /CFM /None >> >>', '<< /StdCF << /CFM /V2 /Length 5 >> >>']],
  ['CFM', ['/None', '/V2', '/AESV2', '/AESV3', 'null']],
  ['O', ['<>', `<${'41'.repeat(32)}>`]],
  ['U', ['<>', `<${'41'.repeat(32)}>`]],
]

function changedDictionary(source: string, random: Random): string {
  const [key, values] = pick(ENTRIES, random)
  const value = pick(values, random)
  const parts = takeApart(source, { key, evil: value })
  const trick = pick(Object.values(DICTIONARY_TRICKS), random)
  if (parts && random(2) === 0) return trick(parts, random) + parts.rest
  const entry = new RegExp(`/${key}\\s*(<<[^]*?>>\\s*>>|<[0-9a-f]*>|/?[^/<>]+)`)
  const changed = `/${key} ${value} `
  if (entry.test(source)) return source.replace(entry, changed)
  return source.replace('<<', `<< ${changed}`)
}

function dictionary(plan: Plan, base: Base, _cipher: ObjectCipher, random: Random): void {
  const target = pickTarget(base, random, 'encryption')
  const source = changedDictionary(target.source, random)
  if (random(2) === 0) rewrite(plan, target, source)
  else {
    const number = add(plan, base, source)
    const object = plan.objects.find((one) => one.number === number)
    if (object) object.isAsIs = true
    const isSecond = random(2) === 0
    plan.editTrailer.push((entries) =>
      entries.replace(/\/Encrypt \d+ 0 R/, (own) =>
        isSecond ? `${own} /Encrypt ${number} 0 R` : `/Encrypt ${number} 0 R`,
      ),
    )
  }
}

/** Trailers that name another encryption or another identifier. */
function trailer(plan: Plan, base: Base, _cipher: ObjectCipher, random: Random): void {
  const target = pickTarget(base, random, 'page', 'stream')
  rewrite(plan, target, target.source)
  // The attacker's content, for readers that do not decrypt.
  if (random(2) === 0) {
    const black = add(plan, base, streamOf(BLACK))
    for (const object of plan.objects) object.isAsIs = true
    const page = objectsOf(base, 'page')[0] as BaseObject
    const own = page.source.replace(/\/Contents\s*(?:\[[^\]]*\]|\d+ 0 R)/, `/Contents ${black} 0 R`)
    rewrite(plan, page, own)
  }
  const direct = objectsOf(base, 'encryption')[0]?.source ?? IDENTITY
  const value = pick(
    [
      '',
      '/Encrypt null',
      `/Encrypt ${direct}`,
      `/Encrypt ${changedDictionary(direct, random)}`,
      `/Encrypt ${IDENTITY}`,
      '/Encrypt 0 0 R',
      `/Encrypt ${base.rootNumber} 0 R`,
      `$& /Encrypt ${IDENTITY}`,
      '$& /Encrypt null',
      '/Encryp#74 $& ',
    ],
    random,
  )
  const id = pick(
    ['$&', '$&', '', '/ID [<00> <00>]', '/ID [() ()]', '/ID null', '$& /ID []'],
    random,
  )
  plan.editTrailer.push((entries) =>
    entries.replace(/\/Encrypt \d+ 0 R/, value).replace(/\/ID \[[^\]]*\]/, id),
  )
}

/** Syntax tricks with the encryption dictionary, and other objects in its role. */
function role(plan: Plan, base: Base, cipher: ObjectCipher, random: Random): void {
  const target = pickTarget(base, random, 'page', 'catalog', 'pages')
  const wish = wishFor(plan, base, target, random)
  const reference = `${cipher.dictionaryNumber} 0 R`
  const entries = pick(
    [
      `/Metadata ${reference}`,
      `/${wish.key} ${reference}`,
      `/Annots [${reference}]`,
      `/Extra ${reference}`,
    ],
    random,
  )
  rewrite(plan, target, target.source.replace('<<', `<< ${entries} `))
}

/** Changes by class name. */
export const ENCRYPTION_CHANGES: Readonly<Record<string, Change>> = {
  'encryption/plain-stream': encrypted(plainStream),
  'encryption/ciphertext': encrypted(ciphertext),
  'encryption/palette': encrypted(palette),
  'encryption/dictionary': encrypted(dictionary),
  'encryption/trailer': encrypted(trailer),
  'encryption/role': encrypted(role),
}
