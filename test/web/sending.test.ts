import type { Page, Route } from 'playwright-core'
import t, { type Test } from 'tap'
import { openWorld, person, SECOND_MS, type Json, type World } from '../conformance/world.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import {
  closeTab,
  DEVICES,
  look,
  needsChromium,
  openBrowser,
  openTab,
  type Tab,
} from './browser.ts'
import { button, draw, field, opened, signAndConsent } from './cases.ts'

t.setTimeout(170_000)

const texts = TEXTS.en
const SIGNATURE = '**/signature'

const participants = (email: string) => [
  person({ language: 'en', email, signatureFields: [field('f1', 1, 300)] }),
]

/** Says the seconds that a text of the page counts down, once there are some. */
async function secondsIn(page: Page, pattern: RegExp): Promise<number> {
  const text = await page.getByText(pattern).textContent()
  const [, minutes, seconds] = pattern.exec(text ?? '') ?? []
  return 60 * Number(minutes) + Number(seconds)
}

const RESEND = /A new code can be sent in (\d+):(\d\d)/
const WORKS = /The code works for another (\d+):(\d\d)/

async function sendAgain(t: Test, world: World, tab: Tab, email: string): Promise<void> {
  const { page } = tab
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/otp')) sent.push(request.url())
  })
  const signatureCase = await opened(world, {
    multiFactorType: 'EMAIL',
    participants: participants(email),
  })
  await page.clock.install()
  await page.goto(signatureCase.participants[0].signerUrl)
  await button(page, texts.codeSend).waitFor()
  await page.clock.pauseAt(new Date(Date.now() + 5 * SECOND_MS))
  await button(page, texts.codeSend).click()
  await page.getByLabel(texts.codeLabel).waitFor()
  await page.clock.runFor(SECOND_MS)
  t.equal(await secondsIn(page, RESEND), 29, 'the wait is told in seconds (S3)')
  const works = await secondsIn(page, WORKS)
  t.ok(works > 580 && works <= 600, `the code works for ${works} seconds (S3)`)
  const wait = button(page, RESEND)
  t.equal(await wait.getAttribute('aria-disabled'), 'true', 'nothing to press meanwhile (S3)')
  await wait.click({ force: true })
  await page.clock.runFor(20 * SECOND_MS)
  t.equal(await secondsIn(page, RESEND), 9, 'it counts down (S3)')
  t.equal(works - (await secondsIn(page, WORKS)), 20, 'and so does the code (S3)')
  await look(t, tab, `resend-wait-${email}`)
  await wait.click({ force: true })
  t.equal(sent.length, 1, 'no code is sent while it counts (S3)')
  await page.clock.runFor(10 * SECOND_MS)
  await button(page, texts.codeResend).click()
  await page.clock.runFor(SECOND_MS)
  await page.getByText(RESEND).waitFor()
  t.equal(sent.length, 2, 'then it is sent (S3)')
  t.equal(await secondsIn(page, RESEND), 29, 'and the wait begins anew (S3)')
  const code = await world.code(email, 2)
  await page.clock.runFor(601 * SECOND_MS)
  await t.resolves(page.getByText(texts.codeIsOver).waitFor(), 'a code past its time says so (S3)')
  await page.clock.resume()
  await page.getByLabel(texts.codeLabel).fill(code)
  await button(page, texts.codeSubmit).click()
  await t.resolves(page.locator('.page canvas').first().waitFor(), 'the second code opens it (S3)')
}

t.test('a code is sent again after a wait that is counted down (S3)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const [name, device] of Object.entries(DEVICES)) {
    const tab = await openTab(browser, device)
    await sendAgain(t, world, tab, `${name}@example.com`)
    await closeTab(t, tab, world.url)
  }
})

/** Opens a case and draws; all that is left is to finish. @returns the case */
async function ready(world: World, { page }: Tab, email: string): Promise<Json> {
  const signatureCase = await opened(world, { participants: participants(email) })
  await page.goto('about:blank')
  await page.goto(signatureCase.participants[0].signerUrl)
  await page.locator('.page canvas').first().waitFor()
  await button(page, texts.nextField).click()
  await page.locator('[data-field="f1"]').press('Enter')
  await draw(page)
  await button(page, texts.useSignature).click()
  await page.getByText(texts.allFieldsDone).waitFor()
  return signatureCase
}

/** How often the trail says that somebody signed. */
const signatures = async (world: World, { id }: Json): Promise<number> =>
  (await world.events(id)).filter(({ type }: Json) => /\.signed$/i.test(type)).length

const LOST: Readonly<Record<string, (route: Route) => Promise<unknown>>> = {
  'the request was lost': (route) => route.abort('connectionreset'),
  'the answer was lost': (route) => route.fetch().then(() => route.abort('connectionreset')),
}

async function loseAnAttempt(t: Test, world: World, tab: Tab, name: string): Promise<void> {
  const { page } = tab
  const signatureCase = await ready(world, tab, 'lost@example.com')
  const attempts: Json[] = []
  await page.route(SIGNATURE, (route) => {
    attempts.push(route.request().postDataJSON())
    return attempts.length === 1 ? LOST[name]?.(route) : route.continue()
  })
  await signAndConsent(page)
  await t.resolves(page.getByText(texts.doneHeading).waitFor(), `${name}: it ends well (S9)`)
  t.equal(attempts.length, 2, `${name}: it is sent once more by itself (S9)`)
  t.same(attempts[0], attempts[1], `${name}: what was agreed to, and nothing else (S9)`)
  await world.untilStatus(signatureCase.id, 'DONE')
  t.equal(await signatures(world, signatureCase), 1, `${name}: signed once (S9)`)
  await page.unroute(SIGNATURE)
}

/** Keys and clicks while the answer is awaited. */
async function pressOn(t: Test, world: World, tab: Tab): Promise<void> {
  const { page } = tab
  const signatureCase = await ready(world, tab, 'impatient@example.com')
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  let attempts = 0
  await page.route(SIGNATURE, async (route) => {
    attempts++
    await promise
    await route.continue()
  })
  await signAndConsent(page)
  const busy = button(page, texts.signing)
  await busy.waitFor()
  t.equal(await busy.getAttribute('aria-disabled'), 'true', 'the button says that it works (S9)')
  await busy.click({ force: true })
  await busy.press('Enter')
  await button(page, texts.back).click({ force: true })
  for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press('Escape')
  t.ok(await page.getByRole('dialog').isVisible(), 'the dialog stays until there is an answer (S9)')
  await look(t, tab, 'signing')
  letGo()
  await page.getByText(texts.doneHeading).waitFor()
  t.equal(attempts, 1, 'however often it is pressed, it is sent once (S9)')
  await world.untilStatus(signatureCase.id, 'DONE')
  t.equal(await signatures(world, signatureCase), 1, 'signed once, says the trail (S9)')
  await page.unroute(SIGNATURE)
  await page.goBack().catch(() => undefined)
  await page.goto('about:blank')
  await page.goto(signatureCase.participants[0].signerUrl)
  await t.resolves(
    page.getByText(texts.doneHeading).waitFor(),
    'the link shows that it is done (S9)',
  )
  t.equal(await button(page, texts.finish).count(), 0, 'there is nothing to sign again (S9)')
}

t.test(
  'lost requests, lost answers and impatient people sign once (S9)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    for (const device of Object.values(DEVICES)) {
      const tab = await openTab(browser, device)
      for (const name of Object.keys(LOST)) await loseAnAttempt(t, world, tab, name)
      await pressOn(t, world, tab)
      await closeTab(t, tab, world.url)
    }
  },
)
