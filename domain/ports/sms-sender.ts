/** Sends short messages to telephones: an HTTP gateway, or nobody. */

export interface Sms {
  /** The same when the same message is sent again. */
  id: string
  /** Digits, a `+` before them when the number is international (ITU-T E.164). */
  to: string
  text: string
}

export interface SmsSender {
  /**
   * @throws DeliveryRefusedError when the gateway refused the message for good
   * @throws Error when the message was not accepted, or nobody knows whether it was
   */
  send(sms: Sms): Promise<void>
}
