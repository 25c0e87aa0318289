/** What each operation does, for the API reference; its errors are added from its responses. */

export interface OperationText {
  /** At most a line, without a full stop. */
  summary: string
  /** Whole sentences, in Markdown. */
  description: string
}

export const OPERATION_TEXTS: Readonly<Record<string, OperationText>> = {
  createCase: {
    summary: 'Create a case',
    description:
      'Creates a case in status NEW. Upload the PDF to `upload.url` with PUT and ' +
      '`Content-Type: application/pdf` within one hour: 1 KB to 25 MB. The case then becomes ' +
      'IN_PROGRESS and the service invites the participants, or UPLOAD_REJECTED with ' +
      '`rejectReason`.\n\nSend an `Idempotency-Key` to make a retry safe: the same key and body ' +
      'give the same case. Without a key, a retry can create a second case.',
  },
  renewUpload: {
    summary: 'Get another upload URL',
    description:
      'Returns a new upload URL for a case in status NEW, when the first one has expired. An ' +
      'earlier URL stays valid until it expires.',
  },
  getCase: {
    summary: 'Read a case',
    description:
      'Returns the case with its participants and with links to the original document and, once ' +
      'DONE, to the signed document and the evidence. The links are valid for 15 minutes; read ' +
      'the case again for new ones. Poll this operation at most every few seconds, or use ' +
      'webhooks.',
  },
  listCases: {
    summary: 'List cases',
    description:
      'Returns the cases of the tenant in the order of their ids, without links to documents. ' +
      'With `status`, a page can have fewer than `limit` cases, even none: continue while there ' +
      'is a `nextCursor`.',
  },
  listEvents: {
    summary: 'Read the audit trail of a case',
    description:
      'Returns the audit trail, newest first. `trailFault` is present when the stored trail was ' +
      'changed outside the service; report that to the operator.',
  },
  inviteAgain: {
    summary: 'Send the invitation again',
    description:
      'Sends the invitation mail to a participant again, also to one with `notify` false, and ' +
      'unlocks the PIN. The service sends the mail after the response.',
  },
  cancelCase: {
    summary: 'Cancel a case',
    description:
      'Cancels a case in status NEW or IN_PROGRESS. Invited participants get a mail, and ' +
      '`callback.url` gets the webhook `case-cancelled`. Nobody can sign afterwards, and a ' +
      'cancellation cannot be undone. The body is optional.',
  },
  graphql: {
    summary: 'Read cases with GraphQL',
    description:
      'Reads cases, audit events, deliveries and kiosks with one GraphQL query; there are no ' +
      'mutations. The response has status 200 even if a part could not be read: check `errors`. ' +
      '`POST /graphql/stream` takes subscriptions with the same body and the same token, and ' +
      'responds with server-sent events (GraphQL over SSE, distinct connections). A WebSocket at ' +
      '`/graphql` takes subscriptions by the protocol `graphql-transport-ws`, with ' +
      '`authorization` in the payload of `connection_init`.',
  },
  listDeliveries: {
    summary: 'Read the webhooks of a case',
    description:
      'Returns every webhook of the case with its state and attempts. The service keeps attempts ' +
      'for 90 days.',
  },
  redeliver: {
    summary: 'Deliver a webhook again',
    description:
      'Starts up to eight new attempts for a webhook that was delivered or given up. The webhook ' +
      'keeps its `id`, so that your endpoint can drop duplicates, and gets new links. A request ' +
      'during a redelivery starts no further one.',
  },
  listWebhookEvents: {
    summary: 'List webhooks that were not delivered',
    description:
      'Returns the webhooks of all cases that the service gave up, in order of occurrence. Use ' +
      'it after an outage of your endpoint to find the webhooks to deliver again.',
  },
  getCaseDefinition: {
    summary: 'Read the case as a participant',
    description:
      'Returns what the participant may see: the document, their signature fields and the ' +
      'consent text. While `otpRequired` or `pinRequired` is true, the document has no `url`: ' +
      'pass the check and repeat the request with its header. The service records the visit in ' +
      'the audit trail.',
  },
  getBranding: {
    summary: 'Read the look of the case',
    description:
      'Returns the name of the sender, and the colours and the logo that the tenant of the case ' +
      'chose, for pages of your own. It needs no code and no PIN, and it also answers after the ' +
      'end of the case. The colours have enough contrast for text on buttons (WCAG 2.2 AA).',
  },
  sendCode: {
    summary: 'Send a one-time code',
    description:
      'Sends a six-digit code by SMS or mail, depending on `multiFactorType` of the case. The ' +
      'code is valid for ten minutes and replaces the previous one. A participant gets at most ' +
      'five codes in an hour, and one in a day after fifty wrong codes in a row.',
  },
  verifyCode: {
    summary: 'Check a one-time code',
    description:
      'Checks the code and returns a session of 30 minutes for the header ' +
      '`Service-Otp-Session`. A correct code cannot be used again. After five wrong codes, send ' +
      'a new one.',
  },
  decline: {
    summary: 'State that the participant does not want to sign',
    description:
      'Records in the audit trail that the participant does not want to sign, and sends a mail ' +
      'with the reason to `sender.replyTo`, if the case has it. The case stays as it is: the ' +
      'participant can still sign, and the tenant decides whether to cancel it. A repetition ' +
      'has no effect, and one with another reason is refused. The body may be an empty object.',
  },
  sign: {
    summary: 'Sign the document',
    description:
      'Records the drawn signature and the consent of the participant. Name predefined fields ' +
      'in `fieldIds`, or give rectangles in `signatures` when the case permits it. Without both, ' +
      'the drawing goes into all predefined fields of the participant; a participant without ' +
      'such fields needs `signatures`. Take `consent.textVersion` from the case definition. ' +
      'After the last signature, the service makes the signed PDF and the evidence, and the case ' +
      'becomes DONE or FAILED. A signature cannot be withdrawn; after a TIMEOUT, read the case ' +
      'definition before you retry.',
  },
  getSignedDocument: {
    summary: 'Download the signed document',
    description:
      'Redirects to a presigned link of the signed PDF that is valid for 15 minutes. With ' +
      '`Accept: application/json`, it returns the link as JSON. The service records the download ' +
      'in the audit trail.',
  },
  registerDevice: {
    summary: 'Register a kiosk',
    description:
      'Registers a kiosk and returns its token. Store the token on the kiosk now: the service ' +
      'keeps only its hash and cannot show it again. If it is lost, remove the kiosk and ' +
      'register a new one. A retry can register a second kiosk.',
  },
  listDevices: {
    summary: 'List kiosks',
    description: 'Returns the kiosks of the tenant in the order of their ids, without tokens.',
  },
  removeDevice: {
    summary: 'Remove a kiosk',
    description: 'Removes a kiosk. Its channel ends and its token is no longer valid.',
  },
  openOnDevice: {
    summary: 'Hand a case to a kiosk',
    description:
      'Shows a case with `quickSign` on a kiosk for one participant: publishes the event ' +
      '`device.open_case` with the signing link to the channel of the kiosk. A kiosk that is not ' +
      'connected gets the event when it connects within ten minutes.',
  },
  createPairingCode: {
    summary: 'Create a short code that pairs a kiosk',
    description:
      'Returns a code of eight characters that somebody types on the kiosk instead of the token. ' +
      'It works once, within ten minutes. The body has the token, because the service keeps only ' +
      'its hash. A new code does not end earlier ones.',
  },
  pairKiosk: {
    summary: 'Pair a browser with a kiosk',
    description:
      'Exchanges the token of a kiosk, or a pairing code, for a cookie, so that the page in the ' +
      'browser of the kiosk can open the channel without the token.',
  },
  deviceEvents: {
    summary: 'Listen to the channel of a kiosk',
    description:
      'Opens a stream of server-sent events: `device.open_case` (`caseId`, `participantId`, ' +
      '`url`, `title`) and `device.close_case` (`caseId`, `participantId`, `reason`). When the ' +
      'connection breaks, connect again with `Last-Event-ID`. On every connection the service ' +
      'first sends what the kiosk should show, if that changed, and `device.branding`: the look ' +
      'of the tenant, as `getBranding` returns it. A kiosk has one stream: a new one ends the ' +
      'previous one with `device.replaced`.',
  },
  uploadForVerification: {
    summary: 'Get an upload URL for verification',
    description:
      'Returns a presigned URL for the PDF and the `key` for `POST /verify`. Upload the PDF with ' +
      'PUT and with every header of `upload.headers`: at most 25 MB, or `size` when you ' +
      'gave it. The body is optional.',
  },
  verify: {
    summary: 'Verify the signatures of a PDF',
    description:
      'Validates every signature of the uploaded PDF against the roots of this service and the ' +
      'EU trusted lists, and returns the report. A signature that does not pass is a result, not ' +
      'an error. The report is JSON, XML (ETSI TS 119 102-2) with `Accept: application/xml`, or ' +
      'a PDF to print with `Accept: application/pdf`; any other `Accept` gives JSON. The XML and ' +
      'the PDF are not signed. The service deletes the upload afterwards; after a 503 the upload ' +
      'stays, so retry with the same key.',
  },
  authorities: {
    summary: 'List the certification authorities',
    description:
      'Returns the certification authorities that issue the certificates of this service, with ' +
      'fingerprints and the URLs of certificates and revocation lists.',
  },
  health: {
    summary: 'Check whether the process is alive',
    description:
      'Liveness probe. It checks nothing else, so a failure means that the process must be ' +
      'restarted.',
  },
  readiness: {
    summary: 'Check whether the process takes requests',
    description:
      'Readiness probe. It answers 200 even while signing is unavailable: see `checks.canary`. ' +
      'While the process shuts down, it answers 503, and no new requests should be sent to it.',
  },
}
