/** `/dev/graphql` in a browser: a developer runs queries and follows changes, on one machine. */
import t from 'tap'
import { buildWeb } from '../../../dev/build-web.ts'
import type { Page } from 'playwright-core'
import { GRAPHQL_ENGLISH } from '../../../web/texts/graphql-en.ts'
import { GRAPHQL_SLOVAK } from '../../../web/texts/graphql-sk.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { openFreshWorld, openWorld } from '../../conformance/world.ts'
import { testApi } from '../../fixtures/api.ts'
import { TENANT } from '../../fixtures/signature-case.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, opened, TITLE } from '../cases.ts'

t.setTimeout(600_000)

const PATH = '/dev/graphql'
const SUBSCRIPTION = 'subscription { caseChanged { caseId case { title status } } }'
const texts = GRAPHQL_ENGLISH

/** Types over the text of the editor of queries; the editor closes brackets by itself. */
async function write(page: Page, query: string): Promise<void> {
  await page.getByRole('textbox', { name: texts.query, exact: true }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(query.slice(0, 1))
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(query)
}

t.test('a developer gets a token, runs a query and follows changes', needsChromium, async (t) => {
  // The service reads the pages when it starts: they are built before.
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, { ...DEVICES.desktop, locale: 'en-GB' })
  const { page } = tab
  await page.goto(world.url)
  await page.getByRole('link', { name: TEXTS.en.homeGraphql }).click()
  await page.getByRole('heading', { name: texts.heading }).waitFor()
  await look(t, tab, 'graphql-empty')
  await opened(world)

  await page.getByLabel(texts.tenant).fill(TENANT)
  await button(page, texts.getToken).click()
  await page.getByText('caseChanged(caseId: ID): CaseChange!').waitFor()
  await button(page, texts.run).click()
  await page.locator('.results pre', { hasText: TITLE }).waitFor()
  await look(t, tab, 'graphql-result')

  await write(page, '{ cases { cases { titel } } }')
  await page.keyboard.press('Control+Enter')
  await page.locator('.results pre', { hasText: 'Cannot query field' }).waitFor()
  await page.locator('.editor.graphql .cm-lintRange-error').first().waitFor()

  await write(page, SUBSCRIPTION)
  await page.keyboard.press('Control+Enter')
  await page.getByText(texts.waiting).waitFor()
  const { id } = await opened(world)
  await page.locator('.results pre', { hasText: id }).first().waitFor()
  await look(t, tab, 'graphql-subscribed')
  await button(page, texts.stop).click()
  await page.getByText(texts.ended).waitFor()
  await closeTab(t, tab, world.url)
})

t.test('fields are suggested by the schema; tab leaves the editor', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, { ...DEVICES.desktop, colorScheme: 'dark', locale: 'en-GB' })
  const { page } = tab
  await page.goto(`${world.url}${PATH}`)
  await page.getByLabel(texts.token).fill(await world.token())
  await page.getByLabel(texts.token).blur()
  await page.getByText('caseChanged(caseId: ID): CaseChange!').waitFor()
  await write(page, '{ ')
  await page.keyboard.type('deli')
  await page.keyboard.press('Control+Space')
  await page.getByRole('option', { name: /deliveries/ }).waitFor()
  await look(t, tab, 'graphql-suggestions')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  const isInEditor = () => page.evaluate(() => document.activeElement?.matches('.editor.graphql'))
  t.equal(await isInEditor(), false)
  await closeTab(t, tab, world.url)
})

t.test('faults are said in words, on a phone', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, { ...DEVICES.phone, locale: 'sk-SK' })
  const { page } = tab
  await page.goto(`${world.url}${PATH}`)
  await page.getByLabel(GRAPHQL_SLOVAK.tenant).fill('Not A Tenant')
  await button(page, GRAPHQL_SLOVAK.getToken).click()
  await page.getByText(GRAPHQL_SLOVAK.noToken).waitFor()
  await page.getByLabel(GRAPHQL_SLOVAK.token).fill('forged')
  await page.getByLabel(GRAPHQL_SLOVAK.token).blur()
  await page.getByText(GRAPHQL_SLOVAK.noSchema).waitFor()
  await button(page, GRAPHQL_SLOVAK.run).click()
  await page.locator('.results pre', { hasText: 'Unauthorized' }).waitFor()
  await look(t, tab, 'graphql-phone')
  await closeTab(t, tab, world.url)
})

t.test('only a service that shows its mails has the page', async (t) => {
  const pagesFolder = await buildWeb()
  const mailbox = { list: async () => [], read: async () => undefined }
  const local = await testApi(t, { pagesFolder, mailbox })
  const { statusCode, headers } = await local.ask('GET', PATH, { token: '' })
  t.equal(statusCode, 200)
  const policy = String(headers['content-security-policy'])
  t.match(policy, "style-src 'self';")
  t.notMatch(policy, /unsafe-inline|'unsafe-eval'/)
  const reachable = await testApi(t, { pagesFolder })
  t.equal((await reachable.ask('GET', PATH, { token: '' })).statusCode, 404)
})
