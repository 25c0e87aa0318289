import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { openFreshWorld } from '../../conformance/world.ts'
import { CONSOLE_SLOVAK } from '../../../web/texts/console-sk.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button } from '../cases.ts'
import { codeFor, enter, openDesk, texts } from './desk.ts'

t.setTimeout(600_000)

const storage = () => ({ local: { ...localStorage }, session: { ...sessionStorage } })

t.test('one click on the home page opens the console', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, { ...DEVICES.phone, locale: 'sk-SK' })
  const { page } = tab
  await page.goto(world.url)
  await page.getByRole('link', { name: TEXTS.sk.homeConsole }).click()
  await page.getByText(CONSOLE_SLOVAK.casesNone).waitFor()
  t.equal(new URL(page.url()).hash, '', 'the code is wiped from the address')
  await look(t, tab, 'console-empty-phone-sk')
  const { local, session } = await page.evaluate(storage)
  t.same(local, {}, 'nothing outlives the tab')
  t.equal(Object.keys(session).length, 1, 'the tab keeps the token')
  const tokens = Object.values(session) as string[]
  t.notOk(tab.requests.some((url) => tokens.some((token) => url.includes(token))))
  await page.reload()
  await page.getByText(CONSOLE_SLOVAK.casesNone).waitFor()
  await button(page, CONSOLE_SLOVAK.menu).click()
  await button(page, CONSOLE_SLOVAK.signOut).click()
  await page.getByText(CONSOLE_SLOVAK.signInHeading).waitFor()
  t.same(await page.evaluate(storage), { local: {}, session: {} })
  await look(t, tab, 'console-sign-in-phone-sk')
  await button(page, CONSOLE_SLOVAK.signInLocal).click()
  await page.getByText(CONSOLE_SLOVAK.casesNone).waitFor()
  await closeTab(t, tab, world.url)
})

t.test(
  'a code works once, and a token that is refused ends the session',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openFreshWorld(t)
    const tab = await openTab(browser, { ...DEVICES.desktop, locale: 'en-GB' })
    const { page } = tab
    const code = await codeFor(world)
    t.equal((await world.ask('POST', '/dev/console/token', { body: { code } })).status, 200)
    t.equal((await world.ask('POST', '/dev/console/token', { body: { code } })).status, 401)
    await page.goto(`${world.url}/console#code=${code}`)
    await page.getByText(texts.signInFailed).waitFor()
    await look(t, tab, 'console-sign-in-failed')
    await enter(tab, world)
    t.pass('a link signs in from the open page of sign-in')
    await page.evaluate(() => sessionStorage.setItem('console/token', 'none'))
    await page.reload()
    await page.getByText(texts.signInExpired).waitFor()
    await closeTab(t, tab, world.url)
  },
)

const encoded = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')

/** A provider on the origin of the service, because the policy of the page allows no other. */
async function openProvider(t: Test) {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, { ...DEVICES.desktop, locale: 'en-GB' })
  const { page } = tab
  const issuer = `${world.url}/provider`
  const seen = { challenge: '', nonce: '', verifier: '', answered: new URLSearchParams() }
  /** What the provider answers in other than the right way. */
  const wrong = { answer: {}, claims: {}, discovery: {} }
  await page.route('**/console/sign-in', (route) =>
    route.fulfill({
      json: { kind: 'provider', issuer, clientId: 'desk', scope: 'openid', token: 'access_token' },
    }),
  )
  await page.route('**/provider/.well-known/openid-configuration', (route) =>
    route.fulfill({
      json: {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        end_session_endpoint: `${issuer}/logout`,
        ...wrong.discovery,
      },
    }),
  )
  await page.route('**/provider/authorize?*', (route) => {
    const asked = new URL(route.request().url()).searchParams
    seen.challenge = asked.get('code_challenge') ?? ''
    seen.nonce = asked.get('nonce') ?? ''
    const state = asked.get('state') ?? ''
    seen.answered = new URLSearchParams({ code: 'abc', state, ...wrong.answer })
    const location = `${asked.get('redirect_uri')}?${seen.answered}`
    return route.fulfill({ status: 302, headers: { location } })
  })
  await page.route('**/provider/token', async (route) => {
    const asked = new URLSearchParams(route.request().postData() ?? '')
    seen.verifier = asked.get('code_verifier') ?? ''
    const claims = { iss: issuer, aud: 'desk', nonce: seen.nonce, ...wrong.claims }
    const identity = `${encoded({})}.${encoded(claims)}.x`
    return route.fulfill({ json: { id_token: identity, access_token: await world.token() } })
  })
  return { world, tab, page, seen, wrong }
}

t.test('a provider signs in by the code flow with PKCE', needsChromium, async (t) => {
  const { world, tab, page, seen } = await openProvider(t)
  await page.goto(`${world.url}/console`)
  await look(t, tab, 'console-sign-in-provider')
  await button(page, texts.signInProvider).click()
  await page.getByText(texts.casesNone).waitFor()
  t.equal(new URL(page.url()).search, '', 'the answer is wiped from the address')
  const digest = createHash('sha256').update(seen.verifier).digest('base64url')
  t.equal(digest, seen.challenge, 'the verifier matches the challenge, by SHA-256')
  t.ok(seen.verifier.length >= 43)
  await button(page, texts.signOut).click()
  await page.getByText(texts.signedOut).waitFor()
  t.equal(await page.evaluate(() => sessionStorage.length), 0, 'nothing is left in the tab')
  const leave = page.getByRole('link', { name: texts.signOutProvider })
  await leave.waitFor()
  await look(t, tab, 'console-signed-out-provider')
  await page.route('**/provider/logout?*', (route) => route.fulfill({ body: 'Bye' }))
  await leave.click()
  await page.getByText('Bye').waitFor()
  t.equal(page.url(), `${world.url}/provider/logout?client_id=desk`, 'no token is in the address')
  await closeTab(t, tab, world.url)
})

t.test('an answer that the tab did not ask for is refused', needsChromium, async (t) => {
  const { world, tab, page, seen } = await openProvider(t)
  await page.goto(`${world.url}/console?code=abc&state=forged`)
  await page.getByText(texts.signInFailed).waitFor()
  t.equal(seen.verifier, '', 'no code is exchanged')
  t.equal(new URL(page.url()).search, '')
  await closeTab(t, tab, world.url)
})

t.test(
  'answers and ID tokens that are not for this request sign nobody in',
  needsChromium,
  async (t) => {
    const { world, tab, page, seen, wrong } = await openProvider(t)
    const session = () => page.evaluate(() => sessionStorage.getItem('console/token'))
    const attempts: [string, Partial<typeof wrong>, boolean][] = [
      ['the state of another', { answer: { state: 'forged' } }, false],
      ['an error in place of a code', { answer: { code: '', error: 'access_denied' } }, false],
      ['another provider', { answer: { iss: 'https://evil.example' } }, false],
      ['an ID token of another issuer', { claims: { iss: 'https://evil.example' } }, true],
      ['an ID token for another client', { claims: { aud: 'other' } }, true],
      ['an ID token of another request', { claims: { nonce: 'another' } }, true],
    ]
    for (const [what, change, isExchanged] of attempts) {
      Object.assign(wrong, { answer: {}, claims: {} }, change)
      seen.verifier = ''
      await page.goto(`${world.url}/console`)
      await button(page, texts.signInProvider).click()
      await page.getByText(texts.signInFailed).waitFor()
      t.equal(await session(), null, what)
      t.equal(seen.verifier !== '', isExchanged, `${what}: the code`)
    }
    Object.assign(wrong, { answer: {}, claims: {}, discovery: { issuer: 'https://evil.example' } })
    await button(page, texts.signInProvider).click()
    await page.getByText(texts.signInFailed).waitFor()
    t.equal(new URL(page.url()).origin, world.url, 'another discovery document leads nowhere')
    wrong.discovery = { authorization_endpoint: 'javascript:alert(1)' }
    await page.goto(`${world.url}/console`)
    await button(page, texts.signInProvider).click()
    await page.getByText(texts.signInFailed).waitFor()
    t.equal(new URL(page.url()).origin, world.url, 'nor does a script')
    wrong.discovery = {}
    await page.goto(`${world.url}/console`)
    await button(page, texts.signInProvider).click()
    await page.getByText(texts.casesNone).waitFor()
    wrong.discovery = { end_session_endpoint: 'javascript:alert(1)' }
    const discovered = page.waitForResponse('**/provider/.well-known/openid-configuration')
    await button(page, texts.signOut).click()
    await (await discovered).finished()
    await page.getByText(texts.signedOut).waitFor()
    const leave = page.getByRole('link', { name: texts.signOutProvider })
    t.equal(await leave.count(), 0, 'a provider puts no script into the page')
    wrong.discovery = {}
    seen.verifier = ''
    await page.goto(`${world.url}/console?${seen.answered}`)
    await page.getByText(texts.signInFailed).waitFor()
    t.equal(await session(), null, 'an answer that was used before signs nobody in')
    t.equal(seen.verifier, '', 'and its code is not exchanged')
    await closeTab(t, tab, world.url)
  },
)

t.test('without a provider and an own issuer a token is pasted', needsChromium, async (t) => {
  const { tab, page, world } = await openDesk(t)
  await page.route('**/console/sign-in', (route) => route.fulfill({ json: { kind: 'token' } }))
  await button(page, texts.signOut).click()
  await page.reload()
  await page.getByLabel(texts.signInToken).fill(await world.token())
  await look(t, tab, 'console-sign-in-token')
  await button(page, texts.signInWithToken).click()
  await page.getByText(texts.casesNone).waitFor()
  await closeTab(t, tab, world.url)
})
