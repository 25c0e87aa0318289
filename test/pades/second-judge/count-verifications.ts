/** Counts the signatures that the engine of the second judge verifies. */
import type { Test } from 'tap'
import { JudgeEngine } from '../../../pades/second-judge/engine.ts'

/** @returns the number of verifications since this call; the test ends the counting */
export function countVerifications(t: Test): () => number {
  let count = 0
  const verify = JudgeEngine.prototype.verifyWithPublicKey
  JudgeEngine.prototype.verifyWithPublicKey = function counting(...given) {
    count++
    return verify.apply(this, given)
  }
  t.teardown(() => void (JudgeEngine.prototype.verifyWithPublicKey = verify))
  return () => count
}
