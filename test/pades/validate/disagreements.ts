/** Where a report says something else than another project's tests expect of the same file. */
import type { ValidationReport } from '../../../pades/index.ts'

interface Trust {
  readonly roots: readonly string[]
  readonly at: string
  /** Whether the other project calls the signature good all in all; null when it was not asked. */
  readonly bottomLine?: boolean | null
}

interface ExpectedSignature {
  readonly intact?: boolean
  readonly crypto?: boolean
  readonly coverage?: string
  readonly modification?: string
  readonly withTrust?: readonly Trust[]
}

/** One file of the corpus. */
export interface Row {
  readonly file: string
  readonly expected: {
    readonly verdict: string
    readonly signatures: number | null
    readonly docTimestamps?: number | null
    readonly intact?: readonly boolean[] | null
    readonly crypto?: readonly boolean[] | null
    readonly level?: readonly string[]
    readonly perSignature?: readonly ExpectedSignature[]
  }
}

/** One difference: of what, what others say, what we say. */
export interface Disagreement {
  readonly about: string
  readonly expected: string
  readonly ours: string
}

type Check = (index: number) => readonly [expected: unknown, ours: unknown] | undefined

/**
 * All differences of one file.
 *
 * @param report undefined when the file could not be read
 */
export function disagreements(
  { expected }: Row,
  report: ValidationReport | undefined,
): Disagreement[] {
  const { signatures = [], documentTimestamps = [] } = report ?? {}
  const details = expected.perSignature ?? []
  // Where the numbers differ, pairs cannot be matched.
  const isAligned = expected.signatures === signatures.length
  const detailed = (index: number) =>
    details.length === signatures.length ? details[index] : undefined
  const checks: Readonly<Record<string, Check>> = {
    intact: (i) => [expected.intact?.[i], signatures[i].integrity.digestMatch ?? false],
    crypto: (i) => [expected.crypto?.[i], signatures[i].integrity.signatureValueValid ?? false],
    level: (i) => [expected.level?.[i], signatures[i].level],
    coverage: (i) => [detailed(i)?.coverage, signatures[i].integrity.coverage],
    modification: (i) => [detailed(i)?.modification, signatures[i].modifications.level],
    good: (i) => [
      detailed(i)?.withTrust?.[0]?.bottomLine ?? undefined,
      signatures[i].indication === 'TOTAL_PASSED',
    ],
  }
  const counts = [
    ['signatures', expected.signatures, signatures.length],
    ['document time-stamps', expected.docTimestamps, documentTimestamps.length],
  ] as const
  const found = counts.flatMap(([about, theirs, ours]) =>
    typeof theirs === 'number' && theirs !== ours
      ? [{ about, expected: String(theirs), ours: report ? String(ours) : 'unreadable' }]
      : [],
  )
  if (!isAligned) return found
  const each = signatures.flatMap((signature, index) =>
    Object.entries(checks).flatMap(([about, check]) => {
      const [theirs, ours] = check(index) ?? []
      if (theirs === undefined || theirs === null || theirs === ours) return []
      const why = about === 'good' ? ` (${signature.errors.map(({ key }) => key).join(' ')})` : ''
      return [{ about: `${about} ${index + 1}`, expected: String(theirs), ours: `${ours}${why}` }]
    }),
  )
  return [...found, ...each]
}
