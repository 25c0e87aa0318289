/** Refusals that have no code of the contract (specification 7). */

/** No such case, participant, device or event; answered as plain text. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError'

  constructor(what: 'Case' | 'Participant' | 'Device' | 'Event') {
    super(`${what} not found`)
  }
}

/** Too many requests of one caller; answered with the message alone. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('Too many requests')
    this.retryAfterSeconds = retryAfterSeconds
  }
}
