/** Measures and traces the steps of the job `finalise`, and logs which step failed. */
import { NO_TRACER } from '../../domain/ports/tracing.ts'
import { timed } from '../measure.ts'
import type { FinaliseDeps } from './signed-by-all.ts'

/** Names in the metric `sigcase_finalise_step_duration_seconds`, in the order of the job. */
type StepName =
  | 'read-inputs'
  | 'sign'
  | 'validate-own-output'
  | 'record-signatures'
  | 'make-evidence'
  | 'record-result'

/**
 * Runs one step.
 *
 * @returns the result of the step
 * @throws the error of the step, unchanged
 */
export async function measuredStep<R>(
  name: StepName,
  step: () => Promise<R>,
  { metrics, tracer = NO_TRACER, log }: Pick<FinaliseDeps, 'metrics' | 'tracer' | 'log'>,
): Promise<R> {
  try {
    const work = () => tracer.span(`finalise ${name}`, {}, step)
    return await timed('sigcase_finalise_step_duration_seconds', { step: name }, work, metrics)
  } catch (error) {
    log.info({ step: name, err: error }, 'finalise step failed')
    throw error
  }
}
