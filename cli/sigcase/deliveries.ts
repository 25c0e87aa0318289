/** `sigcase deliveries …`: lists the webhooks of a case, and delivers them again. */
import { DELIVERY_COLUMNS, FAILED_WEBHOOK_COLUMNS } from './case-columns.ts'
import { apiCommand, groupCommand } from './connection.ts'
import { addLimit, pageSize, takeFirst } from './listing.ts'
import { printObject, printRows } from './output.ts'

const NOT_DELIVERED = ['dead', 'failed'] as const

const list = apiCommand({
  command: 'list <caseId>',
  describe: 'list the webhooks of a case with their attempts',
  options: (command) => command.positional('caseId', { type: 'string', demandOption: true }),
  async run(client, { caseId, output }) {
    printRows(output, DELIVERY_COLUMNS, (await client.listDeliveries(caseId)).deliveries)
  },
})

const failed = apiCommand({
  command: 'failed',
  describe: 'list the webhooks of all cases that were not delivered',
  options: (command) =>
    addLimit(command).option('state', {
      choices: NOT_DELIVERED,
      default: 'dead' as (typeof NOT_DELIVERED)[number],
      describe: 'dead: all attempts failed; failed: the receiver refused the webhook',
    }),
  async run(client, { state, limit, output }) {
    const events = client.failedWebhooks({ status: state, limit: pageSize(limit) })
    printRows(output, FAILED_WEBHOOK_COLUMNS, await takeFirst(events, limit))
  },
})

const redeliver = apiCommand({
  command: 'redeliver <caseId> <eventId>',
  describe: 'deliver a webhook again',
  options: (command) =>
    command
      .positional('caseId', { type: 'string', demandOption: true })
      .positional('eventId', { type: 'string', demandOption: true }),
  async run(client, { caseId, eventId, output }) {
    printObject(output, DELIVERY_COLUMNS, await client.redeliver(caseId, eventId))
  },
})

/** `sigcase deliveries`. */
export const deliveriesCommand = groupCommand('deliveries', 'list and repeat webhooks', [
  list,
  failed,
  redeliver,
])
