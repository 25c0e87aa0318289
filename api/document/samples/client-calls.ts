/** What each operation is in our clients for TypeScript and Python. */
import type { SampleRequest } from './request.ts'

export interface ClientCall {
  /** Statements that use `client` or `exported`; `$body` becomes the example of the body. */
  typescript: string
  python: string
  /** A function or class of the package that the statements use instead of `client`. */
  exported?: { typescript: string; python: string }
  /** Parameters that are not in the path. */
  more?: readonly string[]
  /** Further imports of the statements. */
  imports?: { typescript: string; python: string }
}

const READ_FILE = {
  typescript: `import { readFile } from 'node:fs/promises'`,
  python: 'from pathlib import Path',
}

const READ_AND_WRITE_FILE = {
  typescript: `import { readFile, writeFile } from 'node:fs/promises'`,
  python: 'from pathlib import Path',
}

const WRITE_FILE = {
  typescript: `import { writeFile } from 'node:fs/promises'`,
  python: 'from pathlib import Path',
}

const UPLOAD_FOR_VERIFICATION: ClientCall = {
  imports: READ_FILE,
  typescript: `const report = await client.verify(await readFile('contract-signed.pdf'))
console.log(report.summary.indication)`,
  python: `report = client.verify(Path("contract-signed.pdf"))
print(report["summary"]["indication"])`,
}

const VERIFY: ClientCall = {
  imports: READ_AND_WRITE_FILE,
  typescript: `const pdf = await readFile('contract-signed.pdf')
const report = await client.verify(pdf)
console.log(report.summary.indication)
await writeFile('report.xml', await client.downloadReport(pdf, 'xml'))
await writeFile('report.pdf', await client.downloadReport(pdf, 'pdf'))`,
  python: `pdf = Path("contract-signed.pdf")
report = client.verify(pdf)
print(report["summary"]["indication"])
Path("report.xml").write_bytes(client.download_report(pdf, "xml"))
Path("report.pdf").write_bytes(client.download_report(pdf, "pdf"))`,
}

/** Operations of participants; `client` is a `ParticipantClient`. */
const PARTICIPANT_CALLS: Readonly<Record<string, ClientCall>> = {
  getBranding: {
    typescript: `const { sender, colours } = await client.getBranding()
console.log(sender?.name, colours?.light.background)`,
    python: `branding = client.get_branding()
print(branding.get("sender"), branding.get("colours"))`,
  },
  getCaseDefinition: {
    typescript: `const { document, consentText } = await client.getCaseDefinition()
console.log(document.name, consentText.text)`,
    python: `definition = client.get_case_definition()
print(definition["document"]["name"], definition["consentText"]["text"])`,
  },
  sendCode: {
    typescript: `const { channel, destination } = await client.sendCode()
console.log(channel, destination)`,
    python: `sent = client.send_code()
print(sent["channel"], sent["destination"])`,
  },
  verifyCode: {
    typescript: `// Further calls of this client send the session.
const { otpSession } = await client.verifyCode('042917')
console.log(otpSession)`,
    python: `# Further calls of this client send the session.
verified = client.verify_code("042917")
print(verified["otpSession"])`,
  },
  sign: {
    typescript: 'await client.sign($body)',
    python: 'client.sign($body)',
  },
  decline: {
    typescript: `await client.decline('The price differs from our agreement.')`,
    python: 'client.decline("The price differs from our agreement.")',
  },
  getSignedDocument: {
    imports: WRITE_FILE,
    typescript: `await writeFile('contract-signed.pdf', await client.downloadSigned())`,
    python: 'Path("contract-signed.pdf").write_bytes(client.download_signed())',
  },
}

/** Operations of a kiosk; they need no client. */
const KIOSK_CALLS: Readonly<Record<string, ClientCall>> = {
  pairKiosk: {
    more: ['deviceToken'],
    exported: { typescript: 'pairKiosk', python: 'pair_kiosk' },
    typescript: `const { device } = await pairKiosk({ baseUrl: '$baseUrl', token: deviceToken })
console.log(device.deviceId)`,
    python: `paired = pair_kiosk("$baseUrl", device_token)
print(paired["device"]["deviceId"], paired["cookie"])`,
  },
  deviceEvents: {
    exported: { typescript: 'listenKiosk', python: 'KioskListener' },
    typescript: `const channel = listenKiosk({ baseUrl: '$baseUrl', deviceId, token })
for await (const { type, data } of channel) console.log(type, data)`,
    python: `token = os.environ["DEVICE_TOKEN"]
for event in KioskListener("$baseUrl", device_id, token):
    print(event["type"], event["data"])`,
  },
}

/** By the id of the operation. Parameters have the names of the path, in the language's style. */
const CLIENT_CALLS: Readonly<Record<string, ClientCall>> = {
  ...PARTICIPANT_CALLS,
  ...KIOSK_CALLS,
  createCase: {
    imports: READ_FILE,
    typescript: `const created = await client.createCase($body)
await client.uploadDocument(created, await readFile('contract.pdf'))
console.log(created.case.id)`,
    python: `created = client.create_case($body)
client.upload_document(created, Path("contract.pdf"))
print(created["case"]["id"])`,
  },
  renewUpload: {
    typescript: `const { upload } = await client.renewUpload(caseId)
console.log(upload.url)`,
    python: `upload = client.renew_upload(case_id)["upload"]
print(upload["url"])`,
  },
  getCase: {
    typescript: `const seen = await client.getCase(caseId)
console.log(seen.status)`,
    python: `seen = client.get_case(case_id)
print(seen["status"])`,
  },
  listCases: {
    typescript: `for await (const one of client.cases({ status: 'IN_PROGRESS' })) {
  console.log(one.id, one.title)
}`,
    python: `for case in client.cases(status="IN_PROGRESS"):
    print(case["id"], case["title"])`,
  },
  listEvents: {
    typescript: `for await (const event of client.events(caseId)) {
  console.log(event.occurredAt, event.type)
}`,
    python: `for event in client.events(case_id):
    print(event["occurredAt"], event["type"])`,
  },
  inviteAgain: {
    typescript: 'await client.remind(caseId, participantId)',
    python: 'client.remind(case_id, participant_id)',
  },
  cancelCase: {
    typescript: `const cancelled = await client.cancelCase(caseId, $body)
console.log(cancelled.status)`,
    python: `cancelled = client.cancel_case(case_id, reason="The offer was withdrawn")
print(cancelled["status"])`,
  },
  listDeliveries: {
    typescript: `const { deliveries } = await client.listDeliveries(caseId)
for (const { type, state } of deliveries) console.log(type, state)`,
    python: `for delivery in client.list_deliveries(case_id)["deliveries"]:
    print(delivery["type"], delivery["state"])`,
  },
  redeliver: {
    typescript: 'await client.redeliver(caseId, eventId)',
    python: 'client.redeliver(case_id, event_id)',
  },
  listWebhookEvents: {
    typescript: `for await (const event of client.failedWebhooks({ status: 'dead' })) {
  console.log(event.caseId, event.eventId)
}`,
    python: `for event in client.failed_webhooks(status="dead"):
    print(event["caseId"], event["eventId"])`,
  },
  registerDevice: {
    typescript: `const kiosk = await client.registerDevice('Reception, ground floor')
console.log(kiosk.deviceId, kiosk.token)`,
    python: `kiosk = client.register_device("Reception, ground floor")
print(kiosk["deviceId"], kiosk["token"])`,
  },
  createPairingCode: {
    more: ['deviceToken'],
    typescript: `const { code, expiresAt } = await client.createPairingCode(deviceId, deviceToken)
console.log(code, expiresAt)`,
    python: `pairing = client.create_pairing_code(device_id, device_token)
print(pairing["code"], pairing["expiresAt"])`,
  },
  listDevices: {
    typescript: `for await (const kiosk of client.devices()) {
  console.log(kiosk.deviceId, kiosk.name)
}`,
    python: `for kiosk in client.devices():
    print(kiosk["deviceId"], kiosk["name"])`,
  },
  removeDevice: {
    typescript: 'await client.removeDevice(deviceId)',
    python: 'client.remove_device(device_id)',
  },
  openOnDevice: {
    more: ['deviceId'],
    typescript: 'await client.openOnDevice(caseId, participantId, deviceId)',
    python: 'client.open_on_device(case_id, participant_id, device_id)',
  },
  graphql: {
    typescript: `const { data, errors } = await client.graphql($body)
console.log(data, errors)`,
    python: `answer = client.graphql($body)
print(answer["data"], answer.get("errors"))`,
  },
  uploadForVerification: UPLOAD_FOR_VERIFICATION,
  verify: VERIFY,
  authorities: {
    typescript: `const { authorities } = await client.authorities()
for (const { subject, sha256 } of authorities) console.log(subject, sha256)`,
    python: `for authority in client.authorities()["authorities"]:
    print(authority["subject"], authority["sha256"])`,
  },
  health: {
    typescript: 'console.log((await client.health()).status)',
    python: 'print(client.health()["status"])',
  },
  readiness: {
    typescript: `const { checks } = await client.readiness()
console.log(checks.canary.outcome)`,
    python: `checks = client.readiness()["checks"]
print(checks["canary"]["outcome"])`,
  },
}

/** Returns the call for a request. @throws Error for an operation that our clients lack */
export function clientCallOf({ operationId }: SampleRequest): ClientCall {
  const call = CLIENT_CALLS[operationId]
  if (call === undefined) throw new Error(`our clients have no method for ${operationId}`)
  return call
}

/** Returns the class that can send a request with its token; the same in both languages. */
export const clientClassOf = ({ tokenName }: SampleRequest): string =>
  tokenName === 'SIGNING_TOKEN' ? 'ParticipantClient' : 'SigcaseClient'
