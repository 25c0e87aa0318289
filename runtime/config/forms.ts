/** Forms of variables that are texts: what the form is in words, and how to parse it. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { MAXIMUM_NAME_LENGTH } from '../../domain/limits.ts'
import { visibleTextFaults } from '../../domain/visible-text.ts'
import { isTimeZone } from '../../domain/local-time.ts'
import { certificatesOfPem } from '../../domain/pem.ts'
import { isBrandColour, MAXIMUM_LOGO_BYTES } from '../../domain/tenants/branding.ts'
import { isEmbeddingOrigin } from '../../domain/tenants/embedding-origin.ts'
import { isAddressOrRange, parseBaseUrl, parseHost, parseHttpUrl } from './parsers.ts'
import { parsePostgresUrl, POSTGRES_RULE } from './postgres-url.ts'
import { parseRedisUrl, redisRule, REDIS_RULE } from './redis-url.ts'
import { parseSmtpUrl, SMTP_RULE } from './smtp-url.ts'

export interface Form {
  /** Completes the sentence "it is not …". */
  rule: string
  /** Completes the sentence for an element of a list: "a list of …". */
  plural?: string
  /** A more precise rule for an invalid text. */
  ruleFor?(text: string): string
  /** @returns the normalised text; undefined when the text does not have the form */
  parse(text: string): string | undefined
}

const HTTP_URL = /^https?:\/\//
const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const PART = '[A-Za-z0-9._:-]+'
const KEY_VERSION = new RegExp(
  `^projects/${PART}/locations/${PART}/keyRings/${PART}/cryptoKeys/${PART}/cryptoKeyVersions/\\d+$`,
)

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)
const parseEndpoint = (text: string) => parseHttpUrl(text)?.replace(/\/+$/, '')
/** Keeps the text unchanged, because it is compared literally with the list of lists. */
const parseLiteralUrl = (text: string) =>
  HTTP_URL.test(text) && URL.parse(text) ? text : undefined

function parseOrigin(text: string): string | undefined {
  const url = URL.parse(parseHttpUrl(text) ?? '')
  return url?.pathname === '/' && url.search === '' ? url.origin : undefined
}

/** Checks that the file holds certificates. @returns its path */
function parseCertificateFile(path: string): string | undefined {
  try {
    return certificatesOfPem(readFileSync(path, 'utf8')).length > 0 ? resolve(path) : undefined
  } catch {
    return undefined
  }
}

function hasLogoSize(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size > 0 && size <= MAXIMUM_LOGO_BYTES
}

const isSenderName = (text: string) =>
  visibleTextFaults(text).length === 0 && [...text].length <= MAXIMUM_NAME_LENGTH

const HTTP_RULE = 'an http or https URL without user name, password and fragment'

export const FORMS = {
  text: { rule: 'a text', parse: (text) => text },
  path: { rule: 'a path', parse: (text) => resolve(text) },
  'existing-path': {
    rule: 'an existing file or folder',
    parse: (text) => (existsSync(text) ? resolve(text) : undefined),
  },
  'certificate-file': { rule: 'a file with certificates in PEM', parse: parseCertificateFile },
  host: { rule: 'an address or a host name', parse: parseHost },
  'base-url': {
    rule: 'an http or https URL without user name, password, semicolon, query and fragment',
    parse: parseBaseUrl,
  },
  'http-url': { rule: HTTP_RULE, plural: 'http or https URLs', parse: parseHttpUrl },
  endpoint: { rule: HTTP_RULE, parse: parseEndpoint },
  origin: { rule: 'an http or https origin', parse: parseOrigin },
  'literal-url': { rule: 'an http or https URL', parse: parseLiteralUrl },
  'list-source': {
    rule: 'a folder, or an http or https URL',
    parse: (text) => (/^[a-z]+:\/\//i.test(text) ? parseLiteralUrl(text) : resolve(text)),
  },
  'address-or-range': {
    rule: 'an IP address or CIDR range',
    plural: 'IP addresses or CIDR ranges',
    parse: (text) => (isAddressOrRange(text) ? text : undefined),
  },
  'embedding-origin': {
    rule: 'an https origin, or http on a loopback host',
    plural: 'origins such as https://app.example.com (http only for loopback hosts)',
    parse: (text) => (isEmbeddingOrigin(text) ? text : undefined),
  },
  'sender-name': {
    rule: 'a visible text of at most 100 characters',
    parse: (text) => (isSenderName(text) ? text : undefined),
  },
  colour: {
    rule: 'a colour such as #1b5e85',
    parse: (text) => (isBrandColour(text) ? text : undefined),
  },
  'logo-file': {
    rule: `a file of at most ${MAXIMUM_LOGO_BYTES} bytes`,
    parse: (path) => (hasLogoSize(path) ? resolve(path) : undefined),
  },
  'time-zone': {
    rule: 'the IANA name of a time zone, such as Europe/Vienna',
    parse: (text) => (isTimeZone(text) ? text : undefined),
  },
  share: {
    rule: 'a number from 0 to 1',
    parse: matching(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/),
  },
  'dotted-oid': { rule: 'a dotted OID', parse: matching(/^[0-2](\.(0|[1-9]\d*))+$/) },
  email: { rule: 'an e-mail address', parse: matching(EMAIL) },
  'bearer-token': {
    rule: 'a bearer token (RFC 6750)',
    parse: matching(/^[A-Za-z0-9._~+/-]+=*$/),
  },
  'bucket-name': {
    rule: 'the name of a bucket',
    parse: matching(/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/),
  },
  'key-version': {
    rule: 'projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…',
    parse: matching(KEY_VERSION),
  },
  'vault-path': {
    rule: 'a path of letters, digits, `_`, `-` and `/`',
    parse: matching(/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/),
  },
  'vault-key': {
    rule: 'the name of a key and its version, such as sigcase-seal:1',
    parse: matching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}:[1-9]\d{0,5}$/),
  },
  'transit-key': {
    rule: 'the label of a key, such as sigcase-seal',
    plural: 'labels of keys',
    parse: matching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/),
  },
  'postgres-url': { rule: POSTGRES_RULE, parse: parsePostgresUrl },
  'redis-url': { rule: REDIS_RULE, ruleFor: redisRule, parse: parseRedisUrl },
  'redis-prefix': {
    rule: 'a name of 1 to 64 letters, digits and {}:_-',
    parse: matching(/^[A-Za-z0-9{}:_-]{1,64}$/),
  },
  'smtp-url': {
    rule: SMTP_RULE,
    parse: (text) => (parseSmtpUrl(text) ? text : undefined),
  },
  namespace: { rule: 'a namespace', parse: matching(DNS_LABEL) },
  'pod-name': { rule: 'the name of a pod', parse: matching(/^[A-Za-z0-9.-]{1,200}$/) },
} as const satisfies Record<string, Form>

export type FormName = keyof typeof FORMS
