/** Reads the people of a new case from the arguments of `sigcase cases create`. */
import type { CreateCaseInput } from '../../clients/typescript/src/types.ts'
import { UsageError } from '../usage.ts'

/** A display name in quotes (RFC 5322, 3.4). One with a comma has its parts in another order. */
const QUOTED_NAME = /^\s*"([^",]*)"(?=\s*<)/u
const NAME_AND_ADDRESS = /^\s*(?!"[^"]*"\s*<)(\S+)\s+([^<]*\S)\s*<([^<>\s]+)>\s*$/u

/**
 * Reads `Jana Nováková <jana@example.com>`: given name, family name, address.
 *
 * @throws UsageError for other texts
 */
export function readParticipant(text: string): CreateCaseInput['participants'][number] {
  const [, firstName, lastName, email] =
    NAME_AND_ADDRESS.exec(text.replace(QUOTED_NAME, '$1')) ?? []
  if (firstName === undefined || lastName === undefined || email === undefined) {
    throw new UsageError(`"${text}" is not a participant: write 'Jana Nováková <jana@example.com>'`)
  }
  return { firstName, lastName, email }
}
