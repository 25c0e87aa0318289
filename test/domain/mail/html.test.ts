import t from 'tap'
import { htmlPart, type MailBody } from '../../../domain/mail/html.ts'
import { lintMail } from './lint-mail.ts'

const BODY: MailBody = {
  heading: 'Dokument čaká',
  paragraphs: ['Dobrý deň,', 'x'.repeat(200)],
  code: { value: '123456', notes: ['Platí do zajtra.'] },
  action: { label: 'Podpísať', url: 'https://sign.example.com/sign/1#t', notes: ['Odkaz.'] },
  footer: ['Prečo ste správu dostali.'],
}

t.test('the HTML part follows what mail programs draw', async (t) => {
  const { code: _, action: __, ...plain } = BODY
  for (const language of ['sk', 'en'] as const) {
    t.strictSame(lintMail(htmlPart(language, BODY)), [])
    t.strictSame(lintMail(htmlPart(language, plain)), [])
  }
})

t.test('the button has the colour of the tenant, also in Outlook', async (t) => {
  const html = htmlPart('sk', { ...BODY, buttonColour: '#8a5a00' })
  t.match(html, 'bgcolor="#8a5a00"')
  t.match(html, 'background-color:#8a5a00"')
  t.notMatch(html, '#1b5e85')
  t.strictSame(lintMail(html), [])
})

t.test('the linter finds what Outlook does not draw', async (t) => {
  const html = htmlPart('sk', BODY)
  const broken: Readonly<Record<string, [string | RegExp, string]>> = {
    'a: its cell has no padding for Outlook': [/mso-padding-alt:[^;"]*/, ''],
    'a: its cell has no colour': [/ bgcolor="[^"]*"/, ''],
    'table: Outlook needs the width as an attribute': [' width="560"', ''],
    'table: role is not presentation': [' role="presentation"', ''],
    'td: 123456 has no font': ['font-family:Consolas,Menlo,monospace;', ''],
    'td: Dokument čaká is not broken': [';overflow-wrap:anywhere;word-break:break-word', ''],
    '</td> closes another element': ['</h1>', ''],
    'Gmail cuts it': ['Odkaz.', 'x'.repeat(110_000)],
    '<div>': ['Odkaz.', '<div>Odkaz.</div>'],
  }
  for (const [fault, [from, to]] of Object.entries(broken)) {
    t.ok(lintMail(html.replace(from, to)).includes(fault), fault)
  }
  t.match(lintMail(html.replace('font-size:14px', 'font-size:0.9em')).join(), /not in pixels/)
  t.match(
    lintMail(html.replace('padding:0 16px 24px', 'float:left')).join(),
    /not drawn everywhere/,
  )
})

t.test('the button can be read: its contrast is at least 4.5 (WCAG 1.4.3)', async (t) => {
  const [, colour = ''] = /bgcolor="#([0-9a-f]{6})"/.exec(htmlPart('sk', BODY)) ?? []
  const parts = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  t.ok(1.05 / (luminance + 0.05) >= 4.5)
})
