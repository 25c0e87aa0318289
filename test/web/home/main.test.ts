import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import t from 'tap'
import { openFreshWorld, openWorld, person, type Json } from '../../conformance/world.ts'
import { buildWeb } from '../../../dev/build-web.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, opened, SENDER, TITLE } from '../cases.ts'

t.setTimeout(600_000)

/** Limit for compressed JavaScript, without the reader of the document. */
const SCRIPT_LIMIT_BYTES = 60 * 1024
const HOSTILE = '<img src=x onerror=alert(1)>'

/** The status for a caller that knows the service by another name. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  const [response] = (await once(request(url, { headers: { host } }).end(), 'response')) as [
    IncomingMessage,
  ]
  response.resume()
  return response.statusCode
}

t.test('a newcomer finds the invitation and signs from it', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, { ...DEVICES.phone, locale: 'sk-SK' })
  const { page } = tab
  const texts = TEXTS.sk
  await page.goto(world.url)
  await look(t, tab, 'home-phone')
  await page.getByRole('link', { name: texts.homeMailbox }).click()
  await page.getByText(texts.mailboxEmpty).waitFor()
  await look(t, tab, 'mailbox-empty')
  const { id } = await opened(world)
  await world.untilEvent(id, 'participant.invited')
  await page.getByRole('link', { name: `Na podpis: ${TITLE.slice(0, 20)}` }).click()
  await look(t, tab, 'mail-invitation-sk')
  await page.getByRole('link', { name: 'Prečítať a podpísať' }).click()
  await page.locator('.page canvas').first().waitFor()
  t.equal(new URL(page.url()).search, '', 'the token is in the fragment alone')
  await button(page, 'English').click()
  await page.reload()
  await button(page, TEXTS.en.nextField).waitFor()
  t.equal(await page.getAttribute('html', 'lang'), 'en', 'a chosen language stays')
  await closeTab(t, tab, world.url)
})

t.test('a mailbox that cannot be read says so', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, { ...DEVICES.phone, locale: 'en-GB' })
  const { page } = tab
  let isBroken = true
  await page.route('**/dev/mails', (route) =>
    isBroken
      ? route.fulfill({ status: 500, json: { message: 'Internal Server Error' } })
      : route.continue(),
  )
  await page.goto(`${world.url}/dev/mailbox`)
  await page.getByRole('alert').filter({ hasText: TEXTS.en.mailboxFailed }).waitFor()
  await look(t, tab, 'mailbox-failed')
  isBroken = false
  await t.resolves(page.getByText(TEXTS.en.mailboxEmpty).waitFor(), 'it is read again by itself')
  t.equal(await page.getByText(TEXTS.en.mailboxFailed).count(), 0)
  await closeTab(t, tab, world.url)
})

t.test('the home page of a public service has no commands', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, { ...DEVICES.desktop, locale: 'en-GB' })
  const { page } = tab
  await page.goto(world.url)
  await page.getByText(TEXTS.en.homeStartText).waitFor()
  // As a service answers that other machines can reach.
  const asked = page.waitForResponse((response) => response.url().includes('/dev/'))
  await page.route('**/dev/**', (route) => route.fulfill({ status: 404 }))
  await page.reload()
  t.equal((await asked).status(), 404)
  await page.getByText(TEXTS.en.homeVerifyText).waitFor()
  t.equal(await page.getByText(TEXTS.en.homeMailboxText).count(), 0)
  t.equal(await page.locator('pre').count(), 0, 'commands are for the machine of the service')
  await look(t, tab, 'home-public')
  await closeTab(t, tab, world.url)
})

t.test(
  'mails can be read in both languages, on light and on dark (S15)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openFreshWorld(t)
    const long = 'Maximiliána-Alžbeta Kráľovičová-Šťastná'
    const people = (['sk', 'en'] as const).map((language) =>
      person({ language, email: `${language}@example.com`, firstName: long, lastName: HOSTILE }),
    )
    const participants = [...people]
    const sender = { name: `${SENDER} ${HOSTILE}`, replyTo: 'zmluvy@example.com' }
    const cancelled = await opened(world, { participants, sender, title: `${TITLE} ${HOSTILE}` })
    const mailed = (count: number, subject: RegExp) =>
      world.until(`mails ${subject}`, async () => {
        const { mails } = (await world.ask('GET', '/dev/mails')).json
        return mails.filter((mail: Json) => subject.test(mail.subject)).length >= count || undefined
      })
    await mailed(2, /^(Na podpis|Please sign):/)
    await world.asTenant('DELETE', `/cases/${cancelled.id}`, { body: { reason: 'Nová verzia' } })
    const done = await world.done({ participants, sender })
    const coded = await opened(world, { participants, sender, multiFactorType: 'EMAIL' })
    for (const one of coded.participants) await world.asParticipant(one, 'POST', 'otp')
    await world.untilEvent(done.id, 'case.completed')
    await mailed(2, /^(Zrušené|Cancelled):/)
    await mailed(2, /^(Podpísané|Signed):/)
    const { mails } = (await world.ask('GET', '/dev/mails')).json
    t.ok(mails.length >= 8)
    const seen = new Set<string>()
    for (const colorScheme of ['light', 'dark'] as const) {
      const tab = await openTab(browser, { ...DEVICES.phone, colorScheme })
      const dialogs: string[] = []
      tab.page.on('dialog', (dialog) => void dialogs.push(dialog.message()))
      for (const { id, subject, to } of mails) {
        const kind = `${/(sk|en)@/.exec(to)?.[1]}-${subject.split(':')[0]}-${colorScheme}`
        if (seen.has(kind)) continue
        seen.add(kind)
        await tab.page.goto(`${world.url}/dev/mails/${id}`)
        await look(t, tab, `mail-${kind}`)
        t.equal(
          await tab.page.locator('img, script').count(),
          0,
          'names are words and nothing else',
        )
      }
      t.same(dialogs, [])
      await closeTab(t, tab, world.url)
    }
    t.ok(seen.size >= 16, `${seen.size} mails looked at`)
  },
)

t.test('pages come with their policies, and scanners change nothing (S14)', async (t) => {
  await buildWeb()
  const world = await openWorld(t)
  const { id, participants } = await opened(world)
  for (const path of [
    '/',
    '/console',
    '/kiosk',
    '/verify',
    '/dev/mailbox',
    new URL(participants[0].signerUrl).pathname,
  ]) {
    const { status, headers, text } = await world.ask('GET', path)
    t.equal(status, 200)
    const policy = headers.get('content-security-policy') ?? ''
    t.notMatch(policy, /unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')|https?:|\*/)
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "script-src 'self'"]) {
      t.ok(policy.includes(rule), `${path}: ${rule}`)
    }
    t.equal(headers.get('referrer-policy'), 'no-referrer')
    t.equal(headers.get('cache-control'), 'no-store')
    const [, asset = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(text) ?? []
    const script = await world.ask('GET', asset)
    t.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    t.equal(script.headers.get('content-security-policy'), policy)
  }
  await world.untilEvent(id, 'participant.invited')
  const types = (await world.events(id)).map(({ type }) => type)
  t.notOk(types.includes('participant.viewed'), 'opening the address is not a visit')
  t.equal((await world.ask('GET', '/assets/../index.html')).status, 404)
  t.equal((await world.ask('GET', '/dev/mails/..%2f..%2fkeyring')).status, 404)
  t.equal(await statusFor(`${world.url}/dev/mails`, 'localhost'), 200)
  t.equal(await statusFor(`${world.url}/dev/mails`, 'elsewhere.example'), 404, 'DNS rebinding')
  const reachable = await openFreshWorld(t, { BASE_URL: 'https://sign.example.com' })
  t.notOk(reachable.mailboxUrl, 'mails are shown on this machine alone')
})

t.test('a page is light before there is a document to read', async (t) => {
  await buildWeb()
  const world = await openWorld(t)
  for (const path of ['/', '/sign/x', '/kiosk', '/verify', '/dev/mailbox']) {
    const { text } = await world.ask('GET', path)
    const scripts = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(
      ([, url]) => `${url}`,
    )
    t.ok(scripts.length > 0)
    const headers = { 'accept-encoding': 'gzip' }
    const sizes = await Promise.all(
      scripts.map(async (url) =>
        Number((await world.ask('HEAD', url, { headers })).headers.get('content-length')),
      ),
    )
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    t.ok(bytes > 0 && bytes < SCRIPT_LIMIT_BYTES, `${path}: ${bytes} bytes of script`)
    t.comment(`${path}: ${bytes} bytes of script`)
  }
})
