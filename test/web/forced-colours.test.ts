/** Pages in forced colours, beside those of signing and of the console, which have own tests. */
import { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'
import { openFreshWorld, person } from '../conformance/world.ts'
import { minimalPdf } from '../fixtures/minimal-pdf.ts'
import { GRAPHQL_ENGLISH } from '../../web/texts/graphql-en.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import { TENANT } from '../fixtures/signature-case.ts'
import {
  checkFit,
  closeTab,
  DEVICES,
  findings,
  needsChromium,
  openBrowser,
  openTab,
  type Tab,
  withoutBorder,
} from './browser.ts'
import { opened } from './cases.ts'
import { register } from './kiosks.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
const FORCED = {
  viewport: { width: 800, height: 900 },
  locale: 'en-GB',
  forcedColors: 'active',
} as const

/** Other files look at the same states in other colours. */
async function check(t: Test, tab: Tab, name: string): Promise<void> {
  t.same(await withoutBorder(tab), [], `${name}: each button has a border`)
  t.same(await findings(tab), [], `forced-${name}: axe has no serious finding (S12)`)
  await checkFit(t, tab, `forced-${name}`)
}

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`pages in forced colours, ${colorScheme} (S12)`, needsChromium, async (t) => {
    const browser = await openBrowser(t)
    const world = await openFreshWorld(t)
    const { id, participants } = await opened(world, { participants: [person({ language: 'en' })] })
    await world.untilEvent(id, 'participant.invited')
    const tab = await openTab(browser, { ...FORCED, colorScheme })
    const { page } = tab
    await page.goto(world.url)
    await page.getByRole('link', { name: texts.homeMailbox }).waitFor()
    await check(t, tab, `home-${colorScheme}`)
    await page.getByRole('link', { name: texts.homeMailbox }).click()
    await page.getByRole('link', { name: /^Please sign/ }).waitFor()
    await check(t, tab, `mailbox-${colorScheme}`)
    await page.goto(`${world.url}/verify`)
    await page.locator('input[type=file]').setInputFiles({
      name: 'unsigned.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(minimalPdf()),
    })
    await page.getByText(texts.verdictUnsigned).waitFor()
    await check(t, tab, `verify-${colorScheme}`)
    await page.goto(`${world.url}/kiosk`)
    await page.getByRole('button', { name: texts.kioskPairSubmit }).waitFor()
    await check(t, tab, `kiosk-pairing-${colorScheme}`)
    const { token } = await register(world)
    await page.goto(`${world.url}/kiosk#${token}`)
    await page.getByText(texts.kioskConnected).waitFor()
    await check(t, tab, `kiosk-${colorScheme}`)
    await page.goto(participants[0].signerUrl)
    const [shown, grey] = await page
      .getByRole('button', { name: texts.finish })
      .evaluate((disabled) => {
        const probe = document.createElement('span')
        probe.style.color = 'GrayText'
        document.body.append(probe)
        return [disabled, probe].map((one) => getComputedStyle(one).color)
      })
    t.equal(shown, grey, 'a button that does nothing yet looks so')
    await world.sign(participants[0])
    // A page of the same address would not be loaded anew.
    await page.goto('about:blank')
    await page.goto(participants[0].signerUrl)
    await page.getByText(texts.doneHeading).waitFor()
    await check(t, tab, `done-${colorScheme}`)
    await page.goto(participants[0].signerUrl.replace(/.$/, (last: string) => `${last}x`))
    await page.getByText(texts.linkHeading).waitFor()
    await check(t, tab, `link-${colorScheme}`)
    await page.goto(`${world.url}/dev/graphql`)
    await page.getByLabel(GRAPHQL_ENGLISH.tenant).fill(TENANT)
    await page.getByRole('button', { name: GRAPHQL_ENGLISH.getToken, exact: true }).click()
    await page.getByText('caseChanged(caseId: ID): CaseChange!').waitFor()
    await check(t, tab, `graphql-${colorScheme}`)
    await page.goto(`${world.url}/docs`)
    await page.getByText('Getting started').first().waitFor()
    await check(t, tab, `docs-${colorScheme}`)
    await closeTab(t, tab, world.url)
  })
}

t.test('axe finds serious faults, and lesser ones do not count', needsChromium, async (t) => {
  const tab = await openTab(await openBrowser(t), DEVICES.desktop)
  const pale = '<p style="background: #fff; color: #ddd">Outside of a landmark</p>'
  await tab.page.setContent(`<html lang="en"><title>Faults</title>${pale}<button></button>`)
  const found = await findings(tab)
  const ids = found.map(({ id }) => id)
  t.same(ids, ['button-name', 'color-contrast'])
  await closeTab(t, tab, 'about:blank')
})
