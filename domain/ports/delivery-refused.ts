/** A mail server or SMS gateway refused a message for good: sending it again cannot help. */

/**
 * What was refused: `recipient` is the address, the number or the message; `sender` is this
 * service, so that every message is refused until the operator fixes it.
 */
export type RefusedParty = 'recipient' | 'sender'

/** Says neither address nor text, because servers repeat both in their answers. */
export class DeliveryRefusedError extends Error {
  override readonly name: string = 'DeliveryRefusedError'
  readonly refused: RefusedParty
  /** Reply code of SMTP, or status of HTTP. */
  readonly answer: number | undefined

  constructor(message: string, refused: RefusedParty, answer?: number) {
    super(message)
    this.refused = refused
    this.answer = answer
  }
}
