import t from 'tap'
import { findLogoFault, lookOf } from '../../../adapters/branding/look.ts'
import { brandColours } from '../../../domain/tenants/branding.ts'
import { LOGO_PNG } from '../../fixtures/logos.ts'

const logo = LOGO_PNG.toString('base64')

t.test('a tenant without branding has no look', async (t) => {
  t.same(lookOf({}), {})
  t.same(lookOf({ branding: {} }), {})
})

t.test('colour, logo and sender are read', async (t) => {
  const sender = { name: 'Acme', replyTo: 'office@acme.example' }
  const look = lookOf({ sender, branding: { colour: '#ffcc00', logo } })
  t.same(look.sender, sender)
  t.same(look.colours, brandColours('#ffcc00'))
  t.match(look.logo, { mediaType: 'image/png', width: 64, height: 16 })
})

t.test('a logo that is refused is left out, and the rest is shown', async (t) => {
  const broken = Buffer.from('<svg/>').toString('base64')
  t.match(findLogoFault(broken), /neither PNG nor JPEG/)
  t.equal(findLogoFault(logo), undefined)
  t.same(lookOf({ branding: { colour: '#1b5e85', logo: broken } }), {
    colours: brandColours('#1b5e85'),
  })
})

t.test('a name that could turn the text around it is left out', async (t) => {
  t.same(lookOf({ sender: { name: 'Acme\u202egnp.exe' } }), {})
  t.same(lookOf({ sender: { name: '\u200b', replyTo: 'a@acme.example' } }), {
    sender: { replyTo: 'a@acme.example' },
  })
})

t.test('a time zone that is unknown is left out', async (t) => {
  t.same(lookOf({ timeZone: 'America/New_York' }), { timeZone: 'America/New_York' })
  t.same(lookOf({ timeZone: 'Europe/Atlantis' }), {})
})

t.test('a logo is checked once, because that takes milliseconds of CPU time', async (t) => {
  const [first, second] = [lookOf({ branding: { logo } }), lookOf({ branding: { logo } })]
  t.ok(first.logo)
  t.equal(first.logo, second.logo)
})
