import t from 'tap'
import { closeTab, look, needsChromium } from '../browser.ts'
import { button } from '../cases.ts'
import { openDesk, texts } from './desk.ts'

t.setTimeout(600_000)

t.test('a pasted list says what it leaves out', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await page.goto(`${world.url}/console#/new`)
  await button(page, texts.paste).click()
  const dialog = page.getByRole('dialog')
  const list =
    'Jana Nová <jana@example.com>\nPeter Kôň peter(at)example.com\n\nAnna <anna@example.com>'
  await page.getByLabel(texts.pasteHow).fill(list)
  const status = dialog.getByRole('status')
  await status.filter({ hasText: texts.pasteFound(2) }).waitFor()
  t.match(await status.textContent(), texts.pasteUnread(1), 'the count is announced')
  t.same(await dialog.locator('li').allTextContents(), ['Peter Kôň peter(at)example.com'])
  await look(t, tab, 'console-paste-unread')
  await page.getByLabel(texts.pasteHow).fill(list.replace('(at)', '@'))
  await status.filter({ hasText: texts.pasteFound(3) }).waitFor()
  t.equal(await dialog.locator('li').count(), 0)
  await button(page, texts.pasteAdd).click()
  await button(page, texts.personRemove(3)).waitFor()
  await closeTab(t, tab, world.url)
})

t.test(
  'a removed person leaves the focus on the button that adds one',
  needsChromium,
  async (t) => {
    const { world, tab, page } = await openDesk(t)
    await page.goto(`${world.url}/console#/new`)
    const add = button(page, texts.personAdd)
    await add.click()
    const remove = button(page, texts.personRemove(2))
    await remove.focus()
    await page.keyboard.press('Enter')
    await remove.waitFor({ state: 'detached' })
    await t.resolves(add.and(page.locator(':focus')).waitFor())
    await closeTab(t, tab, world.url)
  },
)
