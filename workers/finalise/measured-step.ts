/** Measures the steps of the job `finalise`, and logs which step failed. */
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
  { metrics, log }: Pick<FinaliseDeps, 'metrics' | 'log'>,
): Promise<R> {
  try {
    return await timed('sigcase_finalise_step_duration_seconds', { step: name }, step, metrics)
  } catch (error) {
    log.info({ step: name, err: error }, 'finalise step failed')
    throw error
  }
}
