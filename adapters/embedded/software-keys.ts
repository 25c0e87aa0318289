/** The service's keys as files, made at first start under a root of their own. */
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Buffer } from 'node:buffer'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keyIdOf, publishedUrls } from '../../domain/pki.ts'
import type { SigningDevice, SigningKeyInfo, SigningKeyName } from '../../domain/ports/signing.ts'
import {
  importKey,
  issueCertificate,
  issueRevocationList,
  readCertificate,
  type CertificateProfile,
  type LocalKey,
} from '../../pades/index.ts'
import { syncFolder } from './data-directory.ts'

const FLUSHED = { flush: true }
const YEAR_MS = 365.25 * 24 * 60 * 60 * 1000
const PRIVATE_MODE = 0o600
const SERIAL_OCTETS = 16
/** Verifiers' clocks may be behind ours, and lists are dated back a little. */
const BACKDATED_MS = 10 * 60 * 1000
const ORGANISATION = 'sigcase local service'

interface KeyProfile {
  profile: CertificateProfile
  commonName: string
  years: number
  issuer?: 'root' | 'issuing-ca'
}

/**
 * In order of issuing. Each life ends before its issuer's; a seal is renewed more often than a CA.
 */
const PROFILES: Readonly<Record<'root' | SigningKeyName, KeyProfile>> = {
  root: { profile: 'root', commonName: 'sigcase local root', years: 15 },
  'issuing-ca': {
    profile: 'issuing-ca',
    commonName: 'sigcase local issuing CA',
    years: 10,
    issuer: 'root',
  },
  seal: { profile: 'seal', commonName: 'sigcase local seal', years: 5, issuer: 'issuing-ca' },
  'time-stamp-authority': {
    profile: 'tsa',
    commonName: 'sigcase local time-stamp authority (not a trusted third party)',
    years: 9,
    issuer: 'issuing-ca',
  },
}

interface Held {
  key: LocalKey
  certificates: readonly Uint8Array[]
  /** Of an authority above whose key is gone. */
  revocationLists?: readonly Uint8Array[]
}

const ROOT_LIST = 'root.crl'

function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

function derOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64'))
}

/** What a certificate says of the authority that issued it. */
function issuedBy(name: 'root' | 'issuing-ca', { certificates }: Held, baseUrl: string) {
  const issuer = certificates[0] as Uint8Array
  const keyId = keyIdOf(
    Buffer.from(readCertificate(issuer).subjectKeyIdentifier ?? []).toString('hex'),
  )
  return {
    issuer,
    publishedAt: publishedUrls(baseUrl, name === 'root' ? 'root' : 'issuing', keyId),
  }
}

/** The one list of a root whose key is about to be forgotten: it holds as long as the root. */
async function rootList(certificate: Uint8Array, key: LocalKey, now: Date): Promise<Uint8Array> {
  const { notAfter } = readCertificate(certificate)
  return issueRevocationList(
    {
      issuer: certificate,
      algorithm: key.algorithm,
      number: 1,
      thisUpdate: now,
      nextUpdate: notAfter,
      revoked: [],
    },
    (data) => key.sign(data),
  )
}

/**
 * Makes all keys and certificates in a folder beside their place and moves it there whole, so that
 * no start finds half of them. The root's key is never written: it signs the issuing CA and is
 * forgotten.
 */
async function makeKeys(folder: string, now: Date, baseUrl: string): Promise<void> {
  const aside = `${folder}.${randomBytes(6).toString('hex')}.tmp`
  await mkdir(aside, { mode: 0o700, recursive: true })
  const held = new Map<string, Held>()
  for (const [name, { profile, commonName, years, issuer }] of Object.entries(PROFILES)) {
    const pkcs8 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      type: 'pkcs8',
      format: 'der',
    })
    const key = importKey(new Uint8Array(pkcs8))
    const above = issuer && held.get(issuer)
    const certificate = await issueCertificate(
      {
        profile,
        subject: { organizationName: ORGANISATION, commonName },
        publicKeySpki: key.publicKeySpki,
        ...(above && issuer ? issuedBy(issuer, above, baseUrl) : {}),
        serialNumber: randomBytes(SERIAL_OCTETS),
        notBefore: new Date(now.getTime() - BACKDATED_MS),
        notAfter: new Date(now.getTime() + years * YEAR_MS),
        algorithm: (above?.key ?? key).algorithm,
      },
      (data) => (above?.key ?? key).sign(data),
    )
    const certificates = [certificate, ...(above?.certificates ?? [])]
    held.set(name, { key, certificates })
    const chain = certificates.map((der) => pem('CERTIFICATE', der)).join('')
    await writeFile(join(aside, `${name}.pem`), chain, { flush: true })
    if (name === 'root') {
      await writeFile(join(aside, ROOT_LIST), await rootList(certificate, key, now), FLUSHED)
      continue
    }
    const file = join(aside, `${name}.key`)
    const text = pem('PRIVATE KEY', new Uint8Array(pkcs8))
    await writeFile(file, text, { mode: PRIVATE_MODE, flush: true })
  }
  await syncFolder(aside)
  try {
    await rename(aside, folder)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

async function readHeld(folder: string, name: SigningKeyName): Promise<Held> {
  const keyText = await readFile(join(folder, `${name}.key`), 'utf8')
  const pkcs8 = createPrivateKey(keyText).export({ type: 'pkcs8', format: 'der' })
  const chain = await readFile(join(folder, `${name}.pem`), 'utf8')
  const parts = chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (parts.length === 0) throw new Error(`there is no certificate of ${name}`)
  const list = await readFile(join(folder, ROOT_LIST)).catch(() => undefined)
  return {
    key: importKey(new Uint8Array(pkcs8)),
    certificates: parts.map(derOf),
    revocationLists: list ? [new Uint8Array(list)] : [],
  }
}

/** Keys in memory, read from files at start. */
export class SoftwareKeys implements SigningDevice {
  readonly #keys: ReadonlyMap<SigningKeyName, Held>

  private constructor(keys: ReadonlyMap<SigningKeyName, Held>) {
    this.#keys = keys
  }

  /**
   * Opens the keys of a folder, made now if there is none. `root.pem` in it is what a PDF reader
   * has to trust.
   *
   * @param baseUrl stands in certificates that are made now: where lists are published
   */
  static async open(folder: string, now: Date, baseUrl: string): Promise<SoftwareKeys> {
    if (!existsSync(folder)) await makeKeys(folder, now, baseUrl)
    const names = Object.keys(PROFILES).filter((name) => name !== 'root') as SigningKeyName[]
    const held = await Promise.all(
      names.map(async (name) => [name, await readHeld(folder, name)] as const),
    )
    return new SoftwareKeys(new Map(held))
  }

  async describe(name: SigningKeyName): Promise<SigningKeyInfo> {
    const { key, certificates, revocationLists = [] } = this.#held(name)
    return { algorithm: key.algorithm, certificates, revocationLists }
  }

  async sign(name: SigningKeyName, data: Uint8Array): Promise<Uint8Array> {
    return this.#held(name).key.sign(data)
  }

  #held(name: SigningKeyName): Held {
    const held = this.#keys.get(name)
    if (!held) throw new Error(`there is no key ${name}`)
    return held
  }
}
