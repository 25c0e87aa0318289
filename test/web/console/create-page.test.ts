import { performance } from 'node:perf_hooks'
import type { Page } from 'playwright-core'
import t from 'tap'
import { CONSOLE_SLOVAK } from '../../../web/texts/console-sk.ts'
import { TENANT } from '../../e2e/harness.ts'
import { watchCores } from '../../fixtures/busy.ts'
import { closeTab, DEVICES, look, needsChromium } from '../browser.ts'
import { button, pages } from '../cases.ts'
import { holdViews, scrollAndRelease } from '../held-views.ts'
import { openDesk, texts } from './desk.ts'

t.setTimeout(600_000)

/** From an empty console to a case that was sent. */
const FIRST_CASE_LIMIT_MS = 90_000
/** What a person needs to find the next element and to reach it. */
const PAUSE_MS = 900
/** 45 words in a minute. */
const KEY_MS = 260

const contract = () => ({
  name: 'Zmluva.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(pages(3)),
})

/** Chooses the document, and waits until it is open. */
async function choose(page: Page): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(contract())
  await page.locator('.drop bdi', { hasText: 'Zmluva.pdf' }).waitFor()
}

/** Names of what is covered while it has the focus, from the first to the last. */
const coveredWithFocus = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    scrollTo({ top: 0, behavior: 'instant' })
    const all = document.querySelectorAll<HTMLElement>('form :is(button, select, input.input)')
    return [...all].flatMap((one) => {
      one.focus()
      const { left, right, top, bottom } = one.getBoundingClientRect()
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return there && (one.contains(there) || there.contains(one)) ? [] : [one.outerHTML]
    })
  })

/** Types as people do. */
async function typeInto(page: Page, label: string, text: string) {
  await page.waitForTimeout(PAUSE_MS)
  await page.getByLabel(label).first().click()
  await page.keyboard.type(text, { delay: KEY_MS })
}

t.test('a first case is sent within 90 seconds, at human speed', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await page.getByText(texts.casesNone).waitFor()
  const startMs = performance.now()
  const isBusy = watchCores()
  await page.waitForTimeout(PAUSE_MS)
  await page.getByRole('main').getByRole('link', { name: texts.pageCreate }).click()
  // A dialog of the system for files takes a person some seconds.
  await page.waitForTimeout(5 * PAUSE_MS)
  await choose(page)
  await page.locator('.sheet').first().waitFor()
  await typeInto(page, texts.firstName, 'Jana')
  await typeInto(page, texts.lastName, 'Novakova')
  await typeInto(page, texts.email, 'jana@example.com')
  await page.waitForTimeout(2 * PAUSE_MS)
  await page
    .locator('.sheet')
    .first()
    .click({ position: { x: 200, y: 300 } })
  await look(t, tab, 'console-create')
  await page.waitForTimeout(2 * PAUSE_MS)
  await button(page, texts.send).click()
  await page.locator('.badge', { hasText: texts.statuses.IN_PROGRESS }).waitFor()
  const tookMs = Math.round(performance.now() - startMs)
  t.comment(`sent after ${tookMs} ms`)
  t.ok(tookMs < FIRST_CASE_LIMIT_MS || isBusy(), `sent after ${tookMs} ms`)
  const { cases } = (await world.asTenant('GET', '/cases')).json
  t.match(cases[0], { title: 'Zmluva', participants: [{ firstName: 'Jana', language: 'en' }] })
  const [field] = cases[0].participants[0].signatureFields
  t.match(field, { page: 1, unit: 'pt', width: 180, height: 54 })
  await closeTab(t, tab, world.url)
})

t.test(
  'fields are drawn, dragged, resized and removed with the mouse',
  needsChromium,
  async (t) => {
    const { world, tab, page } = await openDesk(t)
    await holdViews(page)
    await page.goto(`${world.url}/console#/new`)
    // The address before differs only in its fragment, and the script runs with the next document.
    await page.reload()
    await choose(page)
    await scrollAndRelease(page, '.sheet[data-page="3"]', 4)
    await t.resolves(button(page, texts.fieldAdd(3)).waitFor(), 'the last report of a page counts')
    const isPainted = page.waitForFunction(
      () => document.querySelector<HTMLCanvasElement>('[data-page="3"] canvas')?.width !== 300,
    )
    await t.resolves(isPainted, 'also for its picture')
    const sheet = page.locator('.sheet').first()
    await sheet.scrollIntoViewIfNeeded()
    const box = await sheet.boundingBox()
    if (!box) throw new Error('there is no page')
    const drag = async (from: [number, number], to: [number, number]) => {
      await page.mouse.move(box.x + from[0], box.y + from[1])
      await page.mouse.down()
      await page.mouse.move(box.x + to[0], box.y + to[1], { steps: 5 })
      await page.mouse.up()
    }
    await drag([60, 200], [260, 280])
    const grip = button(page, texts.fieldOf(texts.personNumber(1), 1))
    const first = await grip.boundingBox()
    t.ok(Math.abs((first?.width ?? 0) - 200) < 4, 'as wide as it was drawn')
    await drag([160, 240], [200, 300])
    const second = await grip.boundingBox()
    t.ok(Math.abs((second?.x ?? 0) - (first?.x ?? 0) - 40) < 3, 'dragged')
    const corner: [number, number] = [
      (second?.x ?? 0) + (second?.width ?? 0) - box.x,
      (second?.y ?? 0) + (second?.height ?? 0) - box.y,
    ]
    await drag(corner, [corner[0] + 50, corner[1] + 30])
    const third = await grip.boundingBox()
    t.ok(Math.abs((third?.width ?? 0) - (second?.width ?? 0) - 50) < 4, 'resized')
    t.equal(await grip.count(), 1, 'dragging a field draws no other one')
    await button(page, texts.fieldRemove(texts.personNumber(1), 1)).click()
    t.equal(await grip.count(), 0)
    await closeTab(t, tab, world.url)
  },
)

t.test(
  'fields are placed by keyboard, for several people who were pasted',
  needsChromium,
  async (t) => {
    const { world, tab, page } = await openDesk(t)
    // Reports of the page in the middle of the view can be late; the focus must be enough.
    await holdViews(page)
    await page.goto(`${world.url}/console#/new`)
    // The address before differs only in its fragment, and the script runs with the next document.
    await page.reload()
    await choose(page)
    await button(page, texts.paste).click()
    const list = 'Jana Nováková <jana@example.com>\nKôň\tPeter\tpeter@example.com\t+421 900 123 456'
    await page.getByLabel(texts.pasteHow).fill(list)
    await look(t, tab, 'console-paste')
    await button(page, texts.pasteAdd).click()
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await button(page, texts.fieldAdd(1)).click()
    const jana = button(page, texts.fieldOf('Jana Nováková', 1))
    t.ok(
      await jana.evaluate((node) => node === document.activeElement),
      'a new field has the focus',
    )
    const before = await jana.boundingBox()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    const after = await jana.boundingBox()
    t.ok((after?.x ?? 0) > (before?.x ?? 0) && (after?.width ?? 0) > (before?.width ?? 0))
    await jana.evaluate((one) => {
      const { bottom } = one.getBoundingClientRect()
      scrollBy({ top: bottom - innerHeight, behavior: 'instant' })
    })
    await page.keyboard.press('ArrowDown')
    const isInView = page.waitForFunction(() => {
      const { left, right, top, bottom } = document.activeElement!.getBoundingClientRect()
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return document.activeElement!.contains(there)
    })
    await t.resolves(isInView, 'a field that keys move stays in view')
    await page.keyboard.press('PageDown')
    const moved = button(page, texts.fieldOf('Jana Nováková', 2)).and(page.locator(':focus'))
    await t.resolves(moved.waitFor(), 'a field keeps the focus on another page')
    t.ok(await button(page, texts.fieldAdd(2)).isVisible(), 'fields are added on its page')
    await page.keyboard.press('PageUp')
    await jana.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Delete')
    await jana.waitFor({ state: 'detached' })
    const add = button(page, texts.fieldAdd(1)).and(page.locator('[data-add-field]:focus'))
    await t.resolves(add.waitFor(), 'a removed field leaves the focus on the button that adds one')
    await page.keyboard.press('Enter')
    await jana.waitFor()
    await button(page, 'Kôň Peter').click()
    await button(page, texts.fieldAdd(1)).click()
    await button(page, texts.fieldOf('Kôň Peter', 1)).waitFor()
    await page.getByLabel(texts.secondFactor).selectOption('EMAIL')
    await page.getByLabel(texts.senderName).fill('Stavby Žilina')
    await button(page, texts.send).click()
    await page.locator('.badge', { hasText: texts.statuses.IN_PROGRESS }).waitFor()
    const { cases } = (await world.asTenant('GET', '/cases')).json
    t.match(cases[0], { multiFactorType: 'EMAIL', sender: { name: 'Stavby Žilina' } })
    t.equal(cases[0].participants[1].phone, '+421 900 123 456')
    t.same(
      cases[0].participants.map(
        (one: { signatureFields: unknown[] }) => one.signatureFields.length,
      ),
      [1, 1],
    )
    await closeTab(t, tab, world.url)
  },
)

t.test(
  'a wrong file changes nothing, and a right one ends the complaint',
  needsChromium,
  async (t) => {
    const { world, tab, page } = await openDesk(t)
    await page.goto(`${world.url}/console#/new`)
    await button(page, texts.send).click()
    const complaint = page.getByText(texts.documentMissing)
    await complaint.waitFor()
    const text = { name: 'Notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('Notes') }
    await page.locator('input[type=file]').setInputFiles(text)
    await page.getByText(texts.documentBroken).waitFor()
    t.equal(await page.getByLabel(texts.title).inputValue(), '', 'its name is not the title')
    await choose(page)
    const status = page.getByRole('status').filter({ hasText: 'Zmluva.pdf' })
    await t.resolves(status.waitFor(), 'the chosen file is announced')
    await complaint.waitFor({ state: 'detached' })
    t.equal(await page.getByLabel(texts.title).inputValue(), 'Zmluva')
    await closeTab(t, tab, world.url)
  },
)

t.test('a session that ends while a case is written loses no entry', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  const signIn = async (tenant: string) => {
    await page.getByLabel(texts.signInTenant).fill(tenant)
    await button(page, texts.signInLocal).click()
    await page.locator('.console-bar').waitFor()
  }
  const title = page.getByLabel(texts.title)
  const expire = async () => {
    await page.goto(`${world.url}/console#/new`)
    await choose(page)
    await title.fill('Lease')
    await page.getByLabel(texts.email).fill('jana@example.com')
    await page.route('**/cases', (route) => route.fulfill({ status: 401, json: {} }))
    await button(page, texts.send).click()
    await page.getByText(texts.signInExpired).waitFor()
    await page.unroute('**/cases')
  }
  await expire()
  await signIn(TENANT)
  await page.getByText(texts.createKept).waitFor()
  t.equal(await title.inputValue(), 'Lease')
  t.equal(await page.getByLabel(texts.email).inputValue(), 'jana@example.com')
  await look(t, tab, 'console-create-kept')
  await page.goto(`${world.url}/console#/cases`)
  await expire()
  await signIn('other')
  await title.waitFor()
  t.equal(await title.inputValue(), '', 'another tenant gets nothing')
  await page.goto(`${world.url}/console#/cases`)
  await expire()
  await signIn('other')
  await button(page, texts.signOut).click()
  await signIn('other')
  await title.waitFor()
  t.equal(await title.inputValue(), '', 'nothing is left after a sign-out')
  await closeTab(t, tab, world.url)
})

t.test('refused values are marked at their fields', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t, { ...DEVICES.phone, locale: 'sk-SK' })
  const sk = CONSOLE_SLOVAK
  await page.goto(`${world.url}/console#/new`)
  await button(page, sk.send).click()
  await page.getByText(sk.documentMissing).waitFor()
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ ...contract(), buffer: Buffer.from('%PDF-1.7 nothing') })
  await page.getByText(sk.documentBroken).waitFor()
  await choose(page)
  await page.locator('.sheet').first().waitFor()
  await page.getByLabel(sk.email).fill('nobody')
  await page.getByLabel(sk.deadline).fill('2020-01-01T12:00')
  await button(page, sk.send).click()
  await page.getByText(sk.rulesBroken).waitFor()
  const described = async (label: string) => {
    const input = page.getByLabel(label).first()
    const id = await input.getAttribute('aria-describedby')
    return page.locator(`[id="${id}"]`).textContent()
  }
  await page.locator('[aria-invalid=true]:focus').waitFor()
  const first = page.getByLabel(sk.firstName).first()
  t.ok(await first.evaluate((one) => one === document.activeElement), 'the first has the focus')
  t.equal(await described(sk.firstName), sk.ruleRequired)
  t.equal(await described(sk.email), sk.ruleFormat)
  t.equal(await described(sk.deadline), sk.ruleFuture)
  await page.getByLabel(sk.email).fill('')
  t.equal(await described(sk.email), sk.ruleRequired, 'an empty one is to be filled in')
  await first.fill('Jana')
  t.equal(await described(sk.firstName), '', 'one that was filled in is not')
  t.equal(await first.getAttribute('aria-invalid'), 'false')
  await look(t, tab, 'console-create-refused-phone-sk')
  await page.setViewportSize({ width: 320, height: 640 })
  await look(t, tab, 'console-create-narrow')
  t.same(await coveredWithFocus(page), [], 'the bar at the end covers nothing that has the focus')
  t.equal((await world.asTenant('GET', '/cases')).json.cases.length, 0)
  await closeTab(t, tab, world.url)
})

t.test(
  'a lost connection during the upload continues with the same case',
  needsChromium,
  async (t) => {
    const { world, tab, page } = await openDesk(t)
    await page.goto(`${world.url}/console#/new`)
    await choose(page)
    await page.getByLabel(texts.firstName).fill('Jana')
    await page.getByLabel(texts.lastName).fill('Nováková')
    await page.getByLabel(texts.email).fill('jana@example.com')
    await page.route('**/objects/**', (route) => route.abort('internetdisconnected'))
    await button(page, texts.send).click()
    await page.getByText(texts.faultUnreachable).waitFor()
    await page.unroute('**/objects/**')
    await button(page, texts.send).click()
    await page.locator('.badge', { hasText: texts.statuses.IN_PROGRESS }).waitFor()
    t.equal((await world.asTenant('GET', '/cases')).json.cases.length, 1)
    await closeTab(t, tab, world.url)
  },
)
