/** Answers of the API for long lists, which the tests give in place of the service. */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'

const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = DAY_MS / 24
const CASES_PER_PAGE = 40
const CASE_PAGES = 2

interface Options {
  /** Whether the list goes on behind everything that the console reads. */
  isCut: boolean
}

const ago = (days: number) => new Date(Date.now() - days * DAY_MS)

/** A case that was created some days ago; three of four are signed some hours later. */
function listedCase(index: number) {
  const created = ago((index * 7) % 50)
  const isSigned = index % 4 !== 0
  const signedAt = isSigned ? new Date(created.getTime() + (index % 9) * 5 * HOUR_MS) : null
  const isRejected = index % 12 === 0
  return {
    id: randomUUID(),
    title: `Contract ${index}`,
    status: isSigned ? 'DONE' : isRejected ? 'UPLOAD_REJECTED' : 'IN_PROGRESS',
    created: created.toISOString(),
    participants: [
      {
        firstName: 'Jana',
        lastName: 'Nováková',
        email: 'jana@example.com',
        status: isSigned ? 'SIGNED' : 'UNSIGNED',
        signedAt: signedAt?.toISOString() ?? null,
      },
    ],
    originalDocument: { size: isRejected ? null : 1_000 },
  }
}

/** Answers the list of cases. */
export async function fakeCases(page: Page, { isCut }: Options): Promise<void> {
  let pages = 0
  await page.route('**/graphql', (route) => {
    const isLast = !isCut && ++pages % CASE_PAGES === 0
    const cases = Array.from({ length: CASES_PER_PAGE }, (_, index) => listedCase(index))
    const nextCursor = isLast ? null : 'next'
    return route.fulfill({ json: { data: { cases: { cases, nextCursor } } } })
  })
}

interface IndexOptions {
  count: number
  /** What the service answers while it cannot sort by time. */
  code?: 'INDEX_REQUIRED' | 'TIMEOUT'
}

/** Answers the list of cases as a service with many of them, in pages of the requested order. */
export async function fakeIndex(page: Page, { count, code }: IndexOptions): Promise<void> {
  const cases = Array.from({ length: count }, (_, index) => listedCase(index))
  const byTime = cases.toSorted((a, b) => b.created.localeCompare(a.created))
  await page.route('**/graphql', (route) => {
    const { sort, after } = route.request().postDataJSON().variables
    if (code && sort !== 'ID') {
      return route.fulfill({ json: { data: { cases: null }, errors: [{ extensions: { code } }] } })
    }
    const from = Number(after ?? 0)
    const next = from + CASES_PER_PAGE < count ? String(from + CASES_PER_PAGE) : null
    const ordered = sort === 'ID' ? cases : byTime
    const some = ordered.slice(from, from + CASES_PER_PAGE)
    return route.fulfill({ json: { data: { cases: { cases: some, nextCursor: next } } } })
  })
}

/**
 * Answers a list of REST, one item in each page.
 *
 * @param path of the list
 * @param itemOf the item of a page, by its number from 1
 * @param pageCount after which the list ends
 */
async function fakeList(
  page: Page,
  path: string,
  name: string,
  itemOf: (number: number, url: URL) => object,
  pageCount: number,
): Promise<void> {
  await page.route(`**${path}?*`, (route) => {
    const url = new URL(route.request().url())
    const number = Number(url.searchParams.get('cursor') ?? 1)
    const next = number < pageCount ? { nextCursor: String(number + 1) } : {}
    return route.fulfill({ json: { [name]: [itemOf(number, url)], ...next } })
  })
}

/** A webhook that was not delivered. */
const webhook = (number: number, url: URL) => ({
  eventId: randomUUID(),
  caseId: randomUUID(),
  type: 'case-completed',
  state: url.searchParams.get('status'),
  occurredAt: ago((number * 5) % 50).toISOString(),
  endedAt: ago(0).toISOString(),
})

/** Answers the lists of webhooks. @param pageCount of each state */
export const fakeWebhooks = (page: Page, pageCount: number): Promise<void> =>
  fakeList(page, '/tenant/webhook-events', 'events', webhook, pageCount)

/** Answers the list of kiosks. */
export const fakeDevices = (page: Page, pageCount: number): Promise<void> =>
  fakeList(
    page,
    '/tenant/devices',
    'devices',
    (number) => ({
      deviceId: randomUUID(),
      name: `Kiosk ${String(number).padStart(2, '0')}`,
      created: ago(number).toISOString(),
      channel: '/kiosk/events',
    }),
    pageCount,
  )
