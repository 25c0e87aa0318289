import t, { type Test } from 'tap'
import { DAY_MS, openWorld, person, type Json, type World } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import {
  closeTab,
  DEVICES,
  look,
  needsChromium,
  openBrowser,
  openTab,
  type Tab,
} from '../browser.ts'
import { button, opened, SENDER, type TextName } from '../cases.ts'
import { runClockUntil } from '../clock.ts'

t.setTimeout(600_000)

interface State {
  name: string
  heading: TextName
  /** What else has to be said. */
  says?: TextName
  namesSender?: boolean
  /** @returns the address that is opened */
  make(world: World): Promise<string>
}

const linkOf = ({ participants }: Json): string => participants[0].signerUrl
const slovak = { sender: { name: SENDER }, participants: [person({ language: 'sk' })] }

async function ended(
  world: World,
  how: (signatureCase: Json) => Promise<unknown>,
): Promise<string> {
  const signatureCase = await opened(world)
  await how(signatureCase)
  return linkOf(signatureCase)
}

const STATES: readonly State[] = [
  {
    name: 'a link that was cut',
    heading: 'linkHeading',
    says: 'linkAdvice',
    make: async (world) => linkOf(await opened(world)).slice(0, -9),
  },
  {
    name: 'a link before the upload',
    heading: 'linkHeading',
    says: 'tryAgain',
    make: async (world) => linkOf((await world.create()).case),
  },
  {
    name: 'a cancelled case',
    heading: 'cancelledHeading',
    namesSender: true,
    make: (world) => ended(world, ({ id }) => world.asTenant('DELETE', `/cases/${id}`)),
  },
  {
    name: 'a rejected upload',
    heading: 'rejectedHeading',
    namesSender: true,
    async make(world) {
      const created = await world.create(slovak)
      await world.upload(created, new TextEncoder().encode('%PDF-1.7'.padEnd(2_000, ' no PDF')))
      return linkOf(await world.untilStatus(created.case.id, 'UPLOAD_REJECTED'))
    },
  },
  {
    name: 'a case that could not be completed',
    heading: 'failedHeading',
    namesSender: true,
    make: (world) =>
      ended(world, async ({ id, participants }) => {
        await world.breakDocument(id)
        const { status, text } = await world.sign(participants[0], { fieldIds: ['f1'] })
        if (status !== 200) throw new Error(text)
        await world.untilStatus(id, 'FAILED')
      }),
  },
]

/** States that time brings about: the clock is put forward once for both. */
const LATE_STATES: readonly State[] = [
  {
    name: 'an expired case',
    heading: 'expiredHeading',
    namesSender: true,
    make: async (world) => linkOf(await opened(world)),
  },
  {
    name: 'a link past its end',
    heading: 'linkExpiredHeading',
    namesSender: true,
    make: async (world) => linkOf(await world.done(slovak)),
  },
]

async function visit(t: Test, tab: Tab, url: string, state: State, language: 'sk' | 'en') {
  const { page } = tab
  const texts = TEXTS[language]
  // A page that differs in its fragment alone would not be loaded anew.
  await page.goto('about:blank')
  await page.goto(url)
  if (state.namesSender) {
    const heading = TEXTS.sk[state.heading]
    const asInvited = page.getByRole('heading', { name: heading }).waitFor()
    await t.resolves(asInvited, `${state.name}: in the language of the participant`)
    if (language === 'en') await button(page, 'English').click()
  }
  await page.getByRole('heading', { name: texts[state.heading] }).waitFor()
  t.equal(await page.getAttribute('html', 'lang'), language)
  t.equal(await page.title(), `${texts[state.heading]} – ${texts.serviceName}`, 'the tab says it')
  const said = await page.textContent('main')
  if (state.says) t.match(said, texts[state.says])
  if (state.namesSender) t.match(said, SENDER, `${state.name}: the sender is named`)
  await look(t, tab, `${language}-${state.heading}`)
}

t.test(
  'everything that keeps people from signing has a page of its own (S11)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const slovak = await openTab(browser, {
      ...DEVICES.phone,
      locale: 'cs-CZ',
      colorScheme: 'dark',
    })
    const english = await openTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
    const both = async (state: State, url: string) => {
      await visit(t, slovak, url, state, 'sk')
      await visit(t, english, url, state, 'en')
    }
    for (const state of STATES) await both(state, await state.make(world))
    const late = await Promise.all(LATE_STATES.map((state) => state.make(world)))
    const open = await english.context.newPage()
    await open.clock.install()
    await open.goto(late[0] as string)
    await open.locator('.page canvas').first().waitFor()
    world.clock.pass(2 * DAY_MS)
    await open.clock.fastForward(2 * DAY_MS)
    const expired = open.getByRole('heading', { name: TEXTS.sk.expiredHeading })
    await runClockUntil(open, 1_000, () => expired.isVisible())
    await open.close()
    for (const [index, state] of LATE_STATES.entries()) await both(state, late[index] as string)
    await closeTab(t, slovak, world.url)
    await closeTab(t, english, world.url)
  },
)

t.test(
  'an outage of the service is shown, and the page goes on afterwards (S11)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const texts = TEXTS.sk
    const url = linkOf(await opened(world))
    const tab = await openTab(browser, { ...DEVICES.phone, locale: 'sk-SK' })
    const { page } = tab
    const beUnavailable = () =>
      page.route('**/caseDefinition', (route) =>
        route.fulfill({ status: 503, json: { code: 'TIMEOUT', message: '' } }),
      )
    await beUnavailable()
    await page.goto(url)
    await page.getByRole('heading', { name: texts.unavailableHeading }).waitFor()
    await look(t, tab, 'unavailable')
    await page.unroute('**/caseDefinition')
    await button(page, texts.tryAgain).click()
    await page.locator('.page canvas').first().waitFor()

    await beUnavailable()
    await page.reload()
    await page.getByRole('heading', { name: texts.unavailableHeading }).waitFor()
    await page.unroute('**/caseDefinition')
    await page.context().setOffline(true)
    await button(page, texts.tryAgain).click()
    await page.getByRole('heading', { name: texts.offlineHeading }).waitFor()
    // It tries again by itself as soon as there is a connection.
    await page.context().setOffline(false)
    await page.locator('.page canvas').first().waitFor()

    await page.clock.install()
    await page.route('**/caseDefinition', () => undefined, { times: 1 })
    await page.reload({ waitUntil: 'commit' })
    await page.getByText(texts.loading).waitFor()
    await page.clock.runFor(11_000)
    await page.getByText(texts.loadingLong).waitFor()
    await look(t, tab, 'loading-long')
    await button(page, texts.tryAgain).click()
    await page.locator('.page canvas').first().waitFor()
    await closeTab(t, tab, world.url)
  },
)

t.test('codes: locked, limited, run out; a PIN is asked for (S3)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const texts = TEXTS.en
  const tab = await openTab(browser, { ...DEVICES.phone, colorScheme: 'dark' })
  const { page } = tab
  const participants = [person({ language: 'en' })]
  await page.goto(linkOf(await opened(world, { multiFactorType: 'EMAIL', participants })))
  await button(page, texts.codeSend).click()
  for (let tried = 1; tried <= 5; tried++) {
    await page.getByLabel(texts.codeLabel).fill(`00000${tried}`)
    await button(page, texts.codeSubmit).click()
    await page.getByText(tried < 5 ? texts.codeWrong(5 - tried) : texts.codeLocked).waitFor()
  }
  await look(t, tab, 'code-locked')
  await page.route('**/otp', (route) =>
    route.fulfill({ status: 429, json: { code: 'OTP_RATE_LIMITED', retryAfterSeconds: 1_800 } }),
  )
  await page.clock.install()
  await page.clock.runFor(31_000)
  await button(page, texts.codeResend).click()
  await page.getByText(texts.codeLimited).waitFor()
  // The page reads its clock twice a second.
  const wait = page.getByText('You can request a new code in 30 minutes')
  await t.resolves(wait.waitFor(), 'the wait is in words')
  await look(t, tab, 'code-limited')

  await page.goto('about:blank')
  await page.goto(linkOf(await opened(world, { pin: '4711', participants })))
  await page.getByLabel(texts.pinLabel).fill('1234')
  const asked = () => tab.requests.filter((url) => url.endsWith('/caseDefinition')).length
  const before = asked()
  await button(page, texts.pinSubmit).dblclick()
  await page.getByText(texts.pinWrong(4)).waitFor()
  t.equal(asked() - before, 1, 'two presses use up one try')
  await look(t, tab, 'pin-wrong')
  for (let left = 3; left >= 1; left--) {
    await button(page, texts.pinSubmit).click()
    await page.getByText(texts.pinWrong(left)).waitFor()
  }
  await button(page, texts.pinSubmit).click()
  // The clock of the page is stopped: the wait is the whole one.
  const locked = page.getByText(texts.pinLocked('15 minutes'))
  await t.resolves(locked.waitFor(), 'the last wrong PIN is answered with the wait')
  await look(t, tab, 'pin-locked')
  await page.goto('about:blank')
  await page.goto(linkOf(await opened(world, { pin: '4711', participants })))
  await page.getByLabel(texts.pinLabel).fill('4711')
  await button(page, texts.pinSubmit).click()
  await page.locator('.page canvas').first().waitFor()
  await closeTab(t, tab, world.url)
})
