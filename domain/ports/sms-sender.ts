/** The port that sends text messages through an HTTP gateway, if one is configured. */

export interface Sms {
  /** The same in every attempt. */
  id: string
  /** Digits, with a leading `+` for an international number (ITU-T E.164). */
  to: string
  text: string
}

export interface SmsSender {
  /**
   * @throws DeliveryRefusedError when the gateway refused the message for good
   * @throws Error when the message was not accepted, or its outcome is unknown
   */
  send(sms: Sms): Promise<void>
}
