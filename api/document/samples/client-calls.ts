/** What each operation is in our clients for TypeScript and Python. */

export interface ClientCall {
  /** Statements that use `client`; `$body` becomes the example of the body. */
  typescript: string
  python: string
  /** Parameters that are not in the path. */
  more?: readonly string[]
  /** Further imports of the statements. */
  imports?: { typescript: string; python: string }
}

const READ_FILE = {
  typescript: `import { readFile } from 'node:fs/promises'`,
  python: 'from pathlib import Path',
}

const VERIFY: ClientCall = {
  imports: READ_FILE,
  typescript: `const report = await client.verify(await readFile('contract-signed.pdf'))
console.log(report.summary.indication)`,
  python: `report = client.verify(Path("contract-signed.pdf"))
print(report["summary"]["indication"])`,
}

/** By the id of the operation. Parameters have the names of the path, in the language's style. */
export const CLIENT_CALLS: Readonly<Record<string, ClientCall>> = {
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
  uploadForVerification: VERIFY,
  verify: VERIFY,
}
