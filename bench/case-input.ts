/** Builds the request body of the case that the rows create. */
import type { CaseInput } from '../domain/contract/case-input.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const field = (y: number) => ({ page: 1, x: 72, y, width: 200, height: 60, unit: 'pt' as const })

export const INPUT: CaseInput = {
  title: 'Zmluva o dielo 2026/118',
  validUntil: new Date(Date.now() + DAY_MS).toISOString(),
  sender: { name: 'ACME, a. s.', replyTo: 'zmluvy@example.com' },
  participants: [
    {
      firstName: 'Ľuboš',
      lastName: 'Šťastný',
      email: 'lubos@example.com',
      language: 'sk',
      signatureFields: [field(500)],
    },
    {
      firstName: 'Janka',
      lastName: 'Žltá',
      email: 'janka@example.com',
      language: 'sk',
      signatureFields: [field(600)],
    },
  ],
}

/** The body of POST /cases. */
export const CASE_INPUT = JSON.stringify(INPUT)
