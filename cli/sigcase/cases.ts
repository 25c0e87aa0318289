/** `sigcase cases …`: creates, lists, reads, watches and changes cases through the REST API. */
import { parse } from 'node:path'
import type { Argv } from 'yargs'
import { SigcaseError, type DocumentKind } from '../../clients/typescript/src/index.ts'
import { documentNames } from '../../domain/cases/document-names.ts'
import { PHASES } from '../../domain/cases/status.ts'
import { readGiven, writeMade } from '../files.ts'
import { calledFrom, UsageError } from '../usage.ts'
import { CASE_COLUMNS, CASE_DETAILS, EVENT_COLUMNS } from './case-columns.ts'
import { apiCommand, groupCommand } from './connection.ts'
import { NOT_DONE_EXIT_CODE, NotDoneError } from './exit-codes.ts'
import { addLimit, pageSize, takeFirst } from './listing.ts'
import { printObject, printRows } from './output.ts'
import { readParticipant } from './participants.ts'
import { trackUpload } from './progress.ts'
import { watchCases } from './watch.ts'

const DOCUMENT_KINDS = ['original', 'signed', 'evidence'] as const satisfies readonly DocumentKind[]
const LANGUAGES = ['sk', 'en'] as const
const STANDARD_VALID_DAYS = 14
const MILLISECONDS_OF_A_DAY = 86_400_000
const STANDARD_WAIT_SECONDS = 3_600

const addCaseId = <T>(command: Argv<T>): Argv<T & { caseId: string }> =>
  command.positional('caseId', {
    type: 'string',
    demandOption: true,
    describe: 'id of the case',
  })

const create = apiCommand({
  command: 'create <pdf>',
  describe: 'create a case and upload its PDF',
  options: (command) =>
    command
      .positional('pdf', { type: 'string', demandOption: true, describe: 'the document' })
      .option('participant', {
        alias: 'p',
        type: 'string',
        array: true,
        demandOption: true,
        describe: "who signs: 'Jana Nováková <jana@example.com>'",
      })
      .option('title', { type: 'string', describe: 'the name of the file by default' })
      .option('language', { choices: LANGUAGES, describe: 'language of pages and mails' })
      .option('valid-days', {
        type: 'number',
        default: STANDARD_VALID_DAYS,
        describe: 'days until the deadline',
      })
      .check(({ 'valid-days': days }) => {
        if (days > 0) return true
        throw new UsageError('--valid-days is a number of days above 0')
      }),
  async run(client, { pdf, participant, title, language, validDays, output }) {
    const octets = readGiven(pdf, calledFrom('sigcase'))
    const created = await client.createCase({
      title: title ?? parse(pdf).name,
      validUntil: new Date(Date.now() + validDays * MILLISECONDS_OF_A_DAY).toISOString(),
      participants: participant
        .map(readParticipant)
        .map((one) => ({ ...one, ...(language && { language }) })),
    })
    console.error(`created case ${created.case.id}`)
    await client.uploadDocument(created, octets, trackUpload())
    printObject(output, CASE_DETAILS, created.case)
  },
})

const list = apiCommand({
  command: 'list',
  describe: 'list cases, newest first',
  options: (command) =>
    addLimit(command).option('status', { choices: PHASES, describe: 'only this status' }),
  async run(client, { limit, status, output }) {
    const cases = client.cases({ limit: pageSize(limit), ...(status && { status }) })
    printRows(output, CASE_COLUMNS, await takeFirst(cases, limit))
  },
})

const get = apiCommand({
  command: 'get <caseId>',
  describe: 'show a case',
  options: (command) => addCaseId(command),
  async run(client, { caseId, output }) {
    printObject(output, CASE_DETAILS, await client.getCase(caseId))
  },
})

const watch = apiCommand({
  command: 'watch [caseId]',
  describe: 'print a line whenever a case changes; without an id, the newest hundred cases',
  options: (command) => command.positional('caseId', { type: 'string' }),
  run: (client, { caseId }) => watchCases(client, caseId),
})

const wait = apiCommand({
  command: 'wait <caseId>',
  describe: `wait until a case is DONE; exit code ${NOT_DONE_EXIT_CODE} if it is not in time`,
  options: (command) =>
    addCaseId(command).option('timeout', {
      type: 'number',
      default: STANDARD_WAIT_SECONDS,
      describe: 'seconds to wait',
    }),
  async run(client, { caseId, timeout, output }) {
    try {
      const done = await client.waitUntilDone(caseId, { timeoutMs: timeout * 1_000 })
      printObject(output, CASE_DETAILS, done)
    } catch (error) {
      const isNotDone =
        error instanceof SigcaseError && ['CASE_ENDED', 'WAIT_TIMEOUT'].includes(error.code)
      if (!isNotDone) throw error
      throw new NotDoneError(error.message, { cause: error })
    }
  },
})

const cancel = apiCommand({
  command: 'cancel <caseId>',
  describe: 'cancel a case that has not ended',
  options: (command) =>
    addCaseId(command).option('reason', {
      type: 'string',
      describe: 'participants see the reason',
    }),
  async run(client, { caseId, reason, output }) {
    const cancelled = await client.cancelCase(caseId, reason === undefined ? {} : { reason })
    printObject(output, CASE_DETAILS, cancelled)
  },
})

const remind = apiCommand({
  command: 'remind <caseId> [participantId]',
  describe: 'send the invitation again, to everybody who has not signed by default',
  options: (command) => addCaseId(command).positional('participantId', { type: 'string' }),
  async run(client, { caseId, participantId, output }) {
    const { participants } = await client.getCase(caseId)
    const unsigned = participants.filter(({ status }) => status === 'UNSIGNED')
    const ids = participantId === undefined ? unsigned.map(({ id }) => id) : [participantId]
    const invitations = []
    for (const id of ids) invitations.push(await client.remind(caseId, id))
    const columns = [
      { heading: 'PARTICIPANT', read: (sent: { participantId: string }) => sent.participantId },
    ]
    printRows(output, columns, invitations)
  },
})

const timeline = apiCommand({
  command: 'timeline <caseId>',
  describe: 'list the newest events of the audit trail, oldest first',
  options: (command) => addLimit(addCaseId(command)),
  async run(client, { caseId, limit, output }) {
    const events = await takeFirst(client.events(caseId, { limit: pageSize(limit) }), limit)
    printRows(output, EVENT_COLUMNS, events.toReversed())
  },
})

const download = apiCommand({
  command: 'download <caseId> [kind]',
  describe: 'write a document of a case to a file, and compare its digest',
  options: (command) =>
    addCaseId(command)
      .positional('kind', { choices: DOCUMENT_KINDS, default: 'signed' as DocumentKind })
      .option('out', { type: 'string', describe: 'the file; named after the title by default' }),
  async run(client, { caseId, kind, out }) {
    const { title } = await client.getCase(caseId)
    const octets = await client.download(caseId, kind)
    const path = out ?? documentNames(title)[kind]
    writeMade(path, octets, calledFrom('sigcase'))
    console.log(path)
  },
})

/** `sigcase cases`. */
export const casesCommand = groupCommand('cases', 'create, read and change cases', [
  create,
  list,
  get,
  watch,
  wait,
  cancel,
  remind,
  timeline,
  download,
])
