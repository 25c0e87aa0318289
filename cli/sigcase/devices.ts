/** `sigcase devices …`: registers, lists and removes kiosks, and hands cases to them. */
import type { RegisteredDevice } from '../../clients/typescript/src/types.ts'
import { DEVICE_COLUMNS, LISTED_DEVICE_COLUMNS } from './case-columns.ts'
import { apiCommand, groupCommand } from './connection.ts'
import { addLimit, pageSize, takeFirst } from './listing.ts'
import { printObject, printRows, type Column } from './output.ts'

const REGISTERED_COLUMNS: readonly Column<RegisteredDevice>[] = [
  ...DEVICE_COLUMNS,
  { heading: 'TOKEN', read: ({ token }) => token },
]

const list = apiCommand({
  command: 'list',
  describe: 'list the kiosks of the tenant',
  options: (command) => addLimit(command),
  async run(client, { limit, output }) {
    const devices = await takeFirst(client.devices({ limit: pageSize(limit) }), limit)
    printRows(output, LISTED_DEVICE_COLUMNS, devices)
  },
})

const register = apiCommand({
  command: 'register <name>',
  describe: 'register a kiosk; its token is printed once',
  options: (command) => command.positional('name', { type: 'string', demandOption: true }),
  async run(client, { name, output }) {
    printObject(output, REGISTERED_COLUMNS, await client.registerDevice(name))
  },
})

const remove = apiCommand({
  command: 'remove <deviceId>',
  describe: 'remove a kiosk; its channel ends at once',
  options: (command) => command.positional('deviceId', { type: 'string', demandOption: true }),
  async run(client, { deviceId }) {
    await client.removeDevice(deviceId)
  },
})

const open = apiCommand({
  command: 'open <deviceId> <caseId> <participantId>',
  describe: 'show a case on a kiosk, for a participant to sign',
  options: (command) =>
    command
      .positional('deviceId', { type: 'string', demandOption: true })
      .positional('caseId', { type: 'string', demandOption: true })
      .positional('participantId', { type: 'string', demandOption: true }),
  async run(client, { deviceId, caseId, participantId }) {
    await client.openOnDevice(caseId, participantId, deviceId)
  },
})

/** `sigcase devices`. */
export const devicesCommand = groupCommand('devices', 'register, list and remove kiosks', [
  list,
  register,
  remove,
  open,
])
