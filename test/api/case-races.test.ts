/**
 * Signatures, a cancellation, statements of not signing and the deadline of one case at the same
 * time, in two processes of the API beside two controllers, in an order that a seed decides.
 */
import process from 'node:process'
import t, { type Test } from 'tap'
import { AuditTrail } from '../../application/audit/trail.ts'
import { KeyedWitness } from '../../application/audit/witness.ts'
import { reconcile } from '../../controllers/signature-case/reconcile.ts'
import { dueAuditEvents } from '../../domain/cases/due-audit-events.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { CANARY_KEY, intakeKey } from '../../domain/cases/keys.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { A4, NOW, signing, testApi, type TestApi } from '../fixtures/api.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { MemoryCaseStore } from '../fixtures/memory-cases.ts'
import { MemoryEphemeral } from '../fixtures/memory-ephemeral.ts'
import { MemoryObjectStore } from '../fixtures/memory-objects.ts'
import { seededHex } from '../fixtures/seeded-hex.ts'
import {
  CASE_ID,
  DOCUMENT_SHA256,
  keyring,
  participant,
  signatureCase,
  TENANT,
  VALID_UNTIL,
} from '../fixtures/signature-case.ts'
import { dice, pause, slowed, type Roll } from '../fixtures/slowed.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 25)
const RECONCILES = 3
const PEOPLE = [participant(1), participant(2)]
const AFTER_THE_END = Date.parse(VALID_UNTIL) + 60_000

/** What all processes share. */
class World {
  readonly faults: unknown[] = []
  readonly cases = new MemoryCaseStore()
  readonly #clock = { ms: Date.parse(NOW) }
  readonly now = () => new Date(this.#clock.ms)
  readonly objects = new MemoryObjectStore(this.now)
  readonly ephemeral = new MemoryEphemeral(this.now)
  /** The dice of the round that runs. */
  roll: Roll = () => 0
  readonly #randomHex = seededHex()

  passDeadline(): void {
    this.#clock.ms = AFTER_THE_END
  }

  restartClock(): void {
    this.#clock.ms = Date.parse(NOW)
  }

  /** The ports as one more process sees them. */
  ports() {
    const roll: Roll = (limit) => this.roll(limit)
    const objects = slowed(this.objects, roll)
    const ephemeral = slowed(this.ephemeral, roll)
    const trail = new AuditTrail(objects, {
      keyring,
      randomHex: this.#randomHex,
      witness: new KeyedWitness(ephemeral, keyring),
      onFault: (_key, fault) => this.faults.push(fault),
    })
    return { cases: slowed(this.cases, roll), objects, ephemeral, trail, now: this.now }
  }
}

interface Asked {
  who: string
  status: number
}

/** Everything that happens in a round. @returns the answers */
async function happen(
  world: World,
  apis: readonly TestApi[],
  { roll, caseId }: { roll: Roll; caseId: string },
): Promise<Asked[]> {
  const key = { tenant: TENANT, caseId }
  const ask = async (who: string, method: string, url: string, asked: object) => {
    for (let wait = roll(20); wait > 0; wait--) await pause(roll)
    const api = apis[roll(apis.length)] as TestApi
    const { statusCode } = await api.ask(method, url, asked)
    return { who, status: statusCode }
  }
  const asPerson = async (index: number, route: string, body: object) => {
    const { id: participantId } = PEOPLE[index] as (typeof PEOPLE)[0]
    const token = await (apis[0] as TestApi).links.mint({ ...key, participantId })
    return ask(`${route} ${index}`, 'POST', `/participant/${participantId}/${route}`, {
      token,
      body,
    })
  }
  const controller = async () => {
    const deps = { ...controllerDeps(NOW), ...world.ports() }
    for (let runs = 0; runs < RECONCILES; runs++) {
      await pause(roll)
      await reconcile(key, deps as never)
    }
    return []
  }
  const deadline = async () => {
    if (roll(3) > 0) return []
    for (let wait = roll(60); wait > 0; wait--) await pause(roll)
    world.passDeadline()
    return []
  }
  const asked = await Promise.all([
    ...[0, 1, 0, 1].map((index) => asPerson(index, 'signature', signing())),
    asPerson(roll(2), 'decline', {}),
    ...(roll(2) === 0 ? [ask('cancel', 'DELETE', `/cases/${caseId}`, { body: {} })] : []),
    controller(),
    controller(),
    deadline(),
  ])
  return asked.flat()
}

/** What must hold in any order. */
async function judge(t: Test, world: World, caseId: string, asked: readonly Asked[]) {
  const key = { tenant: TENANT, caseId }
  const stored = (await world.cases.get(key)) as NonNullable<
    Awaited<ReturnType<MemoryCaseStore['get']>>
  >
  const accepted = acceptedSignatures(keyring, stored)
  const count = (who: string) =>
    asked.filter((one) => one.who.startsWith(who) && one.status === 200).length
  const problems: string[] = []
  const hold = (what: string, holds: boolean) => void (holds || problems.push(what))
  hold('an answer is a failure', !asked.some(({ status }) => status === 500))
  hold('each 200 is one fact', stored.spec.signatures.length === count('signature'))
  for (const index of PEOPLE.keys()) hold('nobody signs twice', count(`signature ${index}`) <= 1)
  const everyone = accepted.length === PEOPLE.length
  hold('a cancellation is a fact', (stored.spec.cancellation !== undefined) === count('cancel') > 0)
  hold(
    'before the deadline',
    accepted.every(({ signedAt }) => signedAt < VALID_UNTIL),
  )
  // The next run of a controller records what is due.
  const deps = { ...controllerDeps(NOW), ...world.ports() }
  for (let runs = 0; runs < RECONCILES; runs++) await reconcile(key, deps as never)
  // What everybody's signature completes is recorded by the job that makes the document.
  if (everyone) await deps.trail.append(key, dueAuditEvents(stored, accepted))
  const { entries, fault } = await world.ports().trail.check(key)
  hold('the trail is sound', fault === undefined && world.faults.length === 0)
  const of = (type: string) => entries.filter((entry) => entry.type === type)
  hold('an entry for each fact', of('participant.signed').length === accepted.length)
  hold('a statement once', of('participant.declined').length === count('decline'))
  const phase = (await world.cases.get(key))?.status?.phase
  const ended = [...of('case.cancelled'), ...of('case.expired')].length
  hold('one end', ended === (phase === 'CANCELLED' || phase === 'EXPIRED' ? 1 : 0))
  // Until it is DONE, a case that everyone has signed can be cancelled (specification 3.1).
  hold('all signed and not expired', !(everyone && phase === 'EXPIRED'))
  t.same(problems, [], `${caseId} ${phase} ${JSON.stringify(asked)}`)
  return phase ?? 'NONE'
}

t.test('in any order, answers, facts, status and trail agree', async (t) => {
  const world = new World()
  const apis = [await testApi(t, world.ports()), await testApi(t, world.ports())]
  world.objects.upload(CANARY_KEY, encodeJson({ outcome: 'passed', at: NOW }), 'application/json')
  const phases = new Map<string, number>()
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const roll = dice(seed)
    const caseId = uuidV5(CASE_ID, 'race', String(seed))
    world.restartClock()
    const seeded = signatureCase({ phase: 'IN_PROGRESS', participants: PEOPLE })
    world.cases.seed({ ...seeded, metadata: { ...seeded.metadata, name: caseId } })
    const intake = { outcome: 'accepted', sha256: DOCUMENT_SHA256, size: 4096, pages: [A4, A4] }
    const intakeAt = intakeKey({ tenant: TENANT, caseId })
    world.objects.upload(intakeAt, encodeJson(intake), 'application/json')
    world.roll = roll
    const asked = await happen(world, apis, { roll, caseId })
    world.roll = () => 0
    const phase = await judge(t, world, caseId, asked)
    phases.set(phase, (phases.get(phase) ?? 0) + 1)
  }
  t.ok(phases.size >= 3, `ends of many kinds: ${JSON.stringify([...phases])}`)
})
