/** A trail that was changed outside the service fails the case, and nothing is sealed. */
import t from 'tap'
import { evidenceKey, outcomeKey } from '../../../domain/cases/keys.ts'
import { dueAuditEvents } from '../../../domain/cases/due-audit-events.ts'
import { reconcile } from '../../../controllers/signature-case/reconcile.ts'
import { finalise } from '../../../workers/finalise/finalise.ts'
import { sealTrail } from '../../../workers/trail-seal.ts'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import { failureOf } from '../../fixtures/finalised.ts'
import type { Forger } from '../../fixtures/forger.ts'
import { CASE_KEY, keyring } from '../../fixtures/signature-case.ts'
import { signedByAll, type SignedByAllWorld } from '../../fixtures/signed-by-all.ts'
import {
  readStoredCase,
  readPhase,
  forgerOf,
  newProcess,
  worldWithWrongCodes,
  assertUnsealed,
} from '../../fixtures/forged-case.ts'

const FORGERIES: Readonly<
  Record<string, { fault: string; forge(forger: Forger, w: SignedByAllWorld): Promise<void> }>
> = {
  'the entries of failed codes are removed and the chain is recomputed': {
    fault: 'wrongMac',
    forge: (forger) => forger.remove(({ type }) => type === 'participant.otp_failed'),
  },
  'the end of the trail is removed, from the failed codes on': {
    fault: 'missingHead',
    forge: (forger) => forger.truncate(4),
  },
  'the whole folder is removed': {
    fault: 'missingHead',
    forge: (forger) => forger.truncate(0),
  },
  'the address of a signature is changed': {
    fault: 'wrongMac',
    forge: async (forger) => {
      const entries = await forger.entries()
      const sequence = entries.findIndex(({ type }) => type === 'participant.signed') + 1
      await forger.changeAddress(sequence, '203.0.113.99')
    },
  },
  'the values of a signature are removed': {
    fault: 'missingOpening',
    forge: async (forger) => {
      const entries = await forger.entries()
      const sequence = entries.findIndex(({ type }) => type === 'participant.signed') + 1
      await forger.changeOpenings(sequence, () => undefined)
    },
  },
}

for (const [what, { fault, forge }] of Object.entries(FORGERIES)) {
  t.test(`${what}: the case fails and nothing is sealed`, async (t) => {
    const w = await worldWithWrongCodes()
    newProcess(w)
    await forge(forgerOf(w), w)
    await finalise(CASE_KEY, w.deps)
    t.match(failureOf(w)?.reason, /^The audit trail of the case was changed outside the service/)
    t.match(failureOf(w)?.reason, fault)
    t.ok(w.deps.alarm.names().includes(`audit-trail ${fault}`))
    assertUnsealed(t, w)
    await reconcile(CASE_KEY, w.deps)
    t.match((await readStoredCase(w)).status, { phase: 'FAILED', failureReason: new RegExp(fault) })
    await sealTrail(CASE_KEY, w.deps)
    assertUnsealed(t, w)
    w.deps.jobs.take()
    await reconcile(CASE_KEY, w.deps)
    t.notOk(
      w.deps.jobs.take().some(({ kind }) => kind === 'trail-seal'),
      'nor is it tried again',
    )
  })

  t.test(`${what} after the signed PDF was stored: nothing more is sealed`, async (t) => {
    const w = await worldWithWrongCodes()
    let isForged = false
    w.deps.objects.afterPut = async (key) => {
      if (key !== outcomeKey(CASE_KEY) || isForged) return
      isForged = true
      await forge(forgerOf(w), w)
      newProcess(w)
      throw new Error('the process is killed')
    }
    await t.rejects(finalise(CASE_KEY, w.deps), { message: 'the process is killed' })
    await finalise(CASE_KEY, w.deps)
    t.match(failureOf(w)?.reason, fault)
    t.same(w.deps.objects.under('issued/'), [], 'nothing is registered as issued')
    assertUnsealed(t, w)
    await reconcile(CASE_KEY, w.deps)
    t.equal(await readPhase(w), 'FAILED')
    t.equal(w.deps.objects.under('pki/revocations/').length, 2, 'the certificates are revoked')
  })
}

t.test('an entry with another address than the signature is a fault', async (t) => {
  const w = await signedByAll()
  const value = await readStoredCase(w)
  const accepted = acceptedSignatures(keyring, value)
  const events = dueAuditEvents(value, accepted).map((event) =>
    event.type === 'participant.signed' ? { ...event, ip: '203.0.113.99' } : event,
  )
  await w.deps.trail.append(CASE_KEY, events)
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w)?.reason, 'otherSignature')
  t.same(w.deps.alarm.names(), ['audit-trail otherSignature'])
  assertUnsealed(t, w)
})

t.test('the trail of a case that was not touched is sealed as before', async (t) => {
  const w = await worldWithWrongCodes()
  newProcess(w)
  await finalise(CASE_KEY, w.deps)
  t.same(w.deps.alarm.raised, [])
  t.ok(w.deps.objects.objects.has(evidenceKey(CASE_KEY)))
  t.ok((await w.deps.trail.entries(CASE_KEY)).length > 8)
})
