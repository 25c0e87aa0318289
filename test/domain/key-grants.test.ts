/**
 * A process that was taken over makes what its keys allow and nothing else: each value that a key
 * protects is made with the keys of each process, and judged by one that has all keys.
 */
import { createSecretKey, randomBytes } from 'node:crypto'
import t from 'tap'
import { buildFactSigner } from '../../adapters/embedded/fact-keys.ts'
import { JwsCodeSessions } from '../../adapters/jose/code-sessions.ts'
import { LocalTenantIdentity, mintTenantToken } from '../../adapters/jose/local-identity.ts'
import { JwsSigningLinks } from '../../adapters/jose/signing-links.ts'
import { entryAfter } from '../../domain/audit/entry.ts'
import { decodeEntries, encodeEntries } from '../../domain/audit/stored.ts'
import { acceptedSignatures, sealFact } from '../../domain/cases/facts.ts'
import { openCursor, sealCursor } from '../../domain/cursor.ts'
import { FACT_KEY, KEY_GRANTS, type KeyHolder, type KeySet } from '../../domain/key-grants.ts'
import {
  KEY_PURPOSES,
  type FactSigner,
  type Keyring,
  type KeyPurpose,
} from '../../domain/ports/keyring.ts'
import { hashCode, isSameCode } from '../../domain/second-factor/code.ts'
import { decodeResult, encodeResult } from '../../domain/worker-results.ts'
import {
  CASE_ID,
  CASE_KEY,
  CREATED_AT,
  factKey,
  keyring,
  participant,
  signature,
  signatureCase,
  TENANT,
} from '../fixtures/signature-case.ts'

const NOW = new Date('2026-11-02T08:30:00Z')
const LATER = new Date('2026-11-02T09:00:00Z')
const PERSON = { ...CASE_KEY, participantId: participant(1).id }
const PLACE = { ...PERSON, sendId: CASE_ID }
const RESULT_KEY = 'cases/acme/x/result.json'

type Forger = Keyring & FactSigner

interface Value {
  needs: KeySet
  /** Makes the value with these keys. @returns whether a process with all keys believes it */
  isBelieved(forger: Forger): Promise<boolean> | boolean
}

const VALUES: Readonly<Record<string, Value>> = {
  'a signing link': {
    needs: 'signing-link',
    async isBelieved(forger) {
      const link = await new JwsSigningLinks(forger).mint(PERSON)
      return (await new JwsSigningLinks(keyring).read(link)) !== undefined
    },
  },
  'the session of a code': {
    needs: 'code-session',
    async isBelieved(forger) {
      const session = await new JwsCodeSessions(forger).mint(PERSON, LATER)
      return new JwsCodeSessions(keyring).opens(session, PERSON, NOW)
    },
  },
  'a token of a tenant': {
    needs: 'tenant-token',
    async isBelieved(forger) {
      const token = await mintTenantToken(forger, TENANT, NOW)
      const { outcome } = await new LocalTenantIdentity(keyring, () => NOW).authenticate(token)
      return outcome === 'tenant'
    },
  },
  'a code that was never sent': {
    needs: 'one-time-code',
    isBelieved: (forger) => isSameCode(keyring, PLACE, hashCode(forger, PLACE, '123456'), '123456'),
  },
  'a cursor': {
    needs: 'request-mac',
    isBelieved: (forger) => openCursor(keyring, ['x'], sealCursor(forger, ['x'], 1)) !== undefined,
  },
  'a signature of a participant': {
    needs: FACT_KEY,
    isBelieved(forger) {
      const { signature: _, ...fact } = signature(participant(1))
      const signatures = [sealFact(forger, TENANT, CASE_ID, fact)]
      return acceptedSignatures(keyring, signatureCase({ signatures })).length === 1
    },
  },
  'an entry of a trail': {
    needs: 'audit-trail',
    isBelieved(forger) {
      const event = {
        eventId: CASE_ID,
        type: 'participant.viewed',
        occurredAt: CREATED_AT,
        actor: 'participant',
        data: {},
      } as const
      const entry = entryAfter(undefined, CASE_KEY, event, {})
      const bytes = encodeEntries(forger, CASE_KEY, [entry], { openings: {} })
      return 'entries' in decodeEntries(keyring, CASE_KEY, { bytes })
    },
  },
  'a result of a worker': {
    needs: 'worker-result',
    isBelieved(forger) {
      const bytes = encodeResult(forger, RESULT_KEY, { outcome: 'accepted' })
      return 'value' in decodeResult(keyring, { key: RESULT_KEY, bytes })
    },
  },
}

/**
 * The keys of a process. In place of a key that it lacks, it uses another secret under the right
 * name.
 */
function forgerWith(granted: readonly KeySet[], secret: Keyring['current']): Forger {
  const current: Keyring['current'] = (purpose) =>
    granted.includes(purpose)
      ? keyring.current(purpose)
      : { ...secret(purpose), kid: keyring.current(purpose).kid }
  const signer = granted.includes(FACT_KEY)
    ? keyring
    : // The name of the key is public, its octets are not.
      { ...buildFactSigner({ ...factKey('guessed'), kid: 'test-signature-fact' }) }
  return { current, find: keyring.find, signFact: (message) => signer.signFact(message) }
}

const unknown: Keyring['current'] = () => ({ kid: '', secret: createSecretKey(randomBytes(32)) })

for (const holder of Object.keys(KEY_GRANTS) as KeyHolder[]) {
  t.test(`with the keys of the ${holder}, others believe what it is for`, async (t) => {
    const granted: readonly KeySet[] = KEY_GRANTS[holder]
    const owned = KEY_PURPOSES.filter((purpose) => granted.includes(purpose))
    const secrets = owned.map((own: KeyPurpose) => () => keyring.current(own))
    for (const [name, { needs, isBelieved }] of Object.entries(VALUES)) {
      for (const secret of [unknown, ...secrets]) {
        const believed = await isBelieved(forgerWith(granted, secret))
        t.equal(believed, granted.includes(needs), name)
      }
    }
  })
}

t.test('what each process can make is what the threat model says', async (t) => {
  const makers = (needs: KeySet) =>
    (Object.keys(KEY_GRANTS) as KeyHolder[]).filter((holder) =>
      (KEY_GRANTS[holder] as readonly KeySet[]).includes(needs),
    )
  t.same(makers(FACT_KEY), ['api'], 'only the API states signatures')
  for (const needs of ['code-session', 'tenant-token', 'one-time-code'] as const) {
    t.same(makers(needs), ['api'], needs)
  }
  t.same(makers('signing-link'), ['api', 'worker'])
  t.same(makers('audit-trail'), ['api', 'controller', 'worker'])
  t.same(makers('worker-result'), ['controller', 'worker'], 'the API makes no results')
})
