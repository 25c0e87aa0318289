/** `sigcase cases watch`: prints a line whenever a case changes. */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Case, SigcaseClient } from '../../clients/typescript/src/index.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import { singleLine } from '../../domain/mail/safe-text.ts'
import { formatProgress } from './case-columns.ts'
import { pageSize, takeFirst } from './listing.ts'

const POLL_MS = 2_000
/** The newest cases are watched: older ones change rarely. */
const WATCHED_CASES = 100

const STATUS_CHARACTERS = 'UPLOAD_REJECTED'.length

function describeCase(one: Case): string {
  const status = one.status.padEnd(STATUS_CHARACTERS)
  return [one.id, status, formatProgress(one), singleLine(one.title)].join('  ')
}

async function readWatched(client: SigcaseClient, caseId: string | undefined): Promise<Case[]> {
  if (caseId !== undefined) return [await client.getCase(caseId)]
  return takeFirst(client.cases({ limit: pageSize(WATCHED_CASES) }), WATCHED_CASES)
}

/**
 * Prints each case once, and again whenever its status or its signatures change. Ends when the
 * given case has ended, or with the process.
 *
 * @param caseId without it the newest hundred cases
 * @throws SigcaseError when a request fails after the retries of the client
 */
export async function watchCases(client: SigcaseClient, caseId?: string): Promise<void> {
  const printed = new Map<string, string>()
  for (;;) {
    const cases = await readWatched(client, caseId)
    for (const one of cases.toReversed()) {
      const line = describeCase(one)
      if (printed.get(one.id) === line) continue
      printed.set(one.id, line)
      process.stdout.write(`${new Date().toISOString()}  ${line}\n`)
    }
    if (caseId !== undefined && cases.every(({ status }) => hasEnded(status))) return
    await sleep(POLL_MS)
  }
}
