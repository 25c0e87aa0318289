/**
 * What an operator does with archived cases, by the commands of docs/how-to/archive-cases.md and
 * docs/how-to/erase-a-case.md, and what the service answers for them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BASE_URL, ROOT } from '../../dev/pods/layout.ts'
import type { CaseAnswer, Client } from '../e2e/client.ts'
import { kubectl, TENANT, until } from './cases.ts'
import { runCommands } from './postgres.ts'

const blocksOf = (page: string) =>
  [...readFileSync(join(ROOT, 'docs/how-to', page), 'utf8').matchAll(/^```\w*\n(.*?)^```$/gms)].map(
    ([, block = '']) => block,
  )
const [VALUES = '', COMMANDS = ''] = blocksOf('archive-cases.md')
/** The values of the page, which archive cases at once. */
export const ARCHIVE_AT_ONCE = VALUES.replace('"24"', '"0"')
/** The command for a cluster is the last one of the page. */
const RESTORE = COMMANDS.slice(COMMANDS.indexOf('kubectl '))
const [ERASE = ''] = blocksOf('erase-a-case.md')

/** Runs commands of a page for a case of the tenant. */
const runFor = (id: string, commands: string) =>
  runCommands(`id=${id}\n${commands.replaceAll(' acme ', ` ${TENANT} `)}`)

/** Runs the command of the page, which says that it is the same for both. @returns output */
export const operate = (what: 'restore' | 'archive', id: string) =>
  runFor(id, RESTORE.replace(' restore ', ` ${what} `))

/** Erases the case by the commands of the page, and waits. */
export const erase = (id: string) => runFor(id, ERASE)

/** @returns phase of the resource; an empty text when there is none */
export const phaseOf = (id: string) =>
  kubectl.run(
    ...['get', 'signaturecase', id, `--namespace=${TENANT}`, '--ignore-not-found'],
    '--output=jsonpath={.status.phase}',
  )

/** Waits until the case has no resource. */
export const untilArchived = (id: string) =>
  until('the resource is gone', async () => ((await phaseOf(id)) === '' ? true : undefined))

/** Links differ in each answer. */
const withoutLinks = (text: string) => text.replaceAll(/([?#])[^"\s]*/g, '$1…')

/** Sends a request of the tenant. @returns what does not differ from answer to answer */
export async function ask(client: Client, method: string, path: string, body?: object) {
  const response = await client.request(method, path, body && { body })
  return { status: response.status, text: withoutLinks(await response.text()) }
}

/** Finds cases by their title, the newest first. @returns ids, or the code of the refusal */
export async function find(client: Client, title: string): Promise<string[] | string> {
  const query =
    'query ($search: String) { cases(search: $search, sort: CREATED_DESC) { cases { id } } }'
  // Without patience: it is refused with 503 while there is no database.
  const response = await fetch(`${BASE_URL}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}` },
    body: JSON.stringify({ query, variables: { search: title } }),
  })
  const { data, errors } = (await response.json()) as {
    data?: { cases: { cases: { id: string }[] } | null } | null
    errors?: { extensions?: { code?: string } }[]
  }
  return data?.cases?.cases.map(({ id }) => id) ?? errors?.[0]?.extensions?.code ?? ''
}

/** What the routes of a case answer to its tenant. */
export async function answers(client: Client, { id }: CaseAnswer) {
  const query = `{ case(id: "${id}") { id status title participants { lastName } } }`
  const all = [
    ask(client, 'GET', `/cases/${id}`),
    ask(client, 'GET', `/cases/${id}/events`),
    ask(client, 'GET', `/cases/${id}/deliveries`),
    ask(client, 'DELETE', `/cases/${id}`),
    ask(client, 'POST', '/graphql', { query }),
  ]
  return Promise.all(all)
}

/** Waits until nothing is left to do for the case. */
export async function untilSettled({ id }: CaseAnswer): Promise<void> {
  const condition = '{.status.conditions[?(@.type=="Settled")].status}'
  await until('the case is settled', async () => {
    const place = ['signaturecase', id, `--namespace=${TENANT}`, `--output=jsonpath=${condition}`]
    return (await kubectl.run('get', ...place)) === 'True' ? true : undefined
  })
}
