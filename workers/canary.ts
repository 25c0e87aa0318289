/**
 * The job `canary`: reads, seals and validates a tiny document, so that nobody signs into a broken
 * backend.
 */
import { composeDocument, PadesError, signDocument } from '../pades/index.ts'
import { CANARY_KEY } from '../domain/cases/keys.ts'
import type { CanaryResult } from '../domain/cases/results.ts'
import { encodeJson } from '../domain/json-object.ts'
import { KeyRefusedError } from '../domain/ports/signing.ts'
import { readCanary } from './canary-reading.ts'
import type { WorkerDeps } from './deps.ts'
import { readFreshOutput, withoutSandbox } from './finalise/own-output.ts'
import { sealingRequest } from './finalise/sealing.ts'
import { SEAL_NAME } from './finalise/signers.ts'
import type { LongTermDeps } from './pki/long-term.ts'

type CanaryDeps = LongTermDeps & Pick<WorkerDeps, 'objects' | 'log' | 'sandbox'>

/** Names of keys are long. */
const REASON_LENGTH = 500

async function sealCanary(deps: CanaryDeps): Promise<void> {
  const sealing = await sealingRequest(deps)
  const { sealedAt } = sealing
  const document = await composeDocument({
    language: 'en',
    title: 'Canary',
    author: SEAL_NAME,
    createdAt: sealedAt,
    blocks: [{ kind: 'paragraph', text: sealedAt.toISOString() }],
    attachments: [],
  })
  await readCanary(deps.sandbox, document)
  const sealed = await signDocument(document, { signers: [], ...sealing })
  await readFreshOutput(sealed, document.length, withoutSandbox(deps))
}

/** Whether this process can seal at this moment; nothing is written down. */
export async function tryCanary(deps: CanaryDeps): Promise<CanaryResult> {
  try {
    await sealCanary(deps)
    return { outcome: 'passed', at: deps.now().toISOString() }
  } catch (error) {
    deps.log.warn({ err: error }, 'the canary failed: signing is not available')
    const reason = String(error).slice(0, REASON_LENGTH)
    const hasCode = error instanceof PadesError || error instanceof KeyRefusedError
    const code = hasCode ? { code: error.code } : {}
    return { outcome: 'failed', at: deps.now().toISOString(), reason, ...code }
  }
}

/**
 * Runs the canary and writes down how it went; of two runs at one time one is enough.
 *
 * @throws Error when the store fails
 */
export async function runCanary(deps: CanaryDeps): Promise<CanaryResult> {
  const before = await deps.objects.stat(CANARY_KEY)
  const result = await tryCanary(deps)
  await deps.objects.compareAndSwap(CANARY_KEY, encodeJson(result), {
    contentType: 'application/json',
    generation: before?.generation,
  })
  return result
}
