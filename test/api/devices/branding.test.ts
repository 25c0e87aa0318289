/** The look of the tenant on the channel of a kiosk (decision 226). */
import t from 'tap'
import { lookOf } from '../../../adapters/branding/look.ts'
import type { TenantBranding } from '../../../domain/ports/branding.ts'
import { brandColours, MAXIMUM_LOGO_BYTES } from '../../../domain/tenants/branding.ts'
import { kioskWorld, openFor } from '../../fixtures/kiosk-channel.ts'
import { kioskAt, rawStream, until } from '../../fixtures/kiosk.ts'
import { LOGO_PNG } from '../../fixtures/logos.ts'
import { TENANT } from '../../fixtures/signature-case.ts'

const COLOUR = '#ffcc00'
const LOOK = {
  sender: { name: 'Acme' },
  branding: { colour: COLOUR, logo: LOGO_PNG.toString('base64') },
}
const branding: TenantBranding = {
  read: async (tenant) => (tenant === TENANT ? lookOf(LOOK) : {}),
}

/** The data of the first look in what a stream sent. */
function brandingIn(text: string): unknown {
  const [, data] = /event: device\.branding\ndata: (.*)\n\n/.exec(text) ?? []
  return data === undefined ? undefined : JSON.parse(data)
}

t.test('a stream begins with the look of the tenant, which has no event id', async (t) => {
  const { base } = await kioskWorld(t, { branding })
  const stream = await rawStream(t, base)
  await until('the look', () => brandingIn(stream.text) !== undefined)
  t.match(brandingIn(stream.text), {
    sender: { name: 'Acme' },
    colours: brandColours(COLOUR),
    logo: { url: /^data:image\/png;base64,iVBOR/, width: 64, height: 16 },
  })
  t.notMatch(stream.text, /^id:/m, 'it does not change where the kiosk goes on')
})

t.test('each connection gets the look that the tenant has then', async (t) => {
  let name = 'Before'
  const changing: TenantBranding = { read: async () => ({ sender: { name } }) }
  const { api, base } = await kioskWorld(t, { branding: changing })
  const names: string[] = []
  const kiosk = await kioskAt(t, base)
  kiosk.source.addEventListener('device.branding', ({ data }) =>
    names.push(JSON.parse(data).sender.name),
  )
  await openFor(api)
  const { id } = await kiosk.nextEvent(1)
  name = 'After'
  api.app.server.closeAllConnections()
  await kiosk.began(2)
  await until('the new look', () => names.at(-1) === 'After')
  t.equal(kiosk.asked[1], id, 'the kiosk goes on after the last event about a case')
})

t.test('the largest look leaves the stream open', async (t) => {
  const bytes = new Uint8Array(MAXIMUM_LOGO_BYTES)
  const logo = { mediaType: 'image/png', bytes, width: 320, height: 80 } as const
  const large: TenantBranding = { read: async () => ({ sender: { name: 'Acme' }, logo }) }
  const { api, base } = await kioskWorld(t, { branding: large })
  const kiosk = await kioskAt(t, base)
  await openFor(api)
  t.match(await kiosk.nextEvent(1), { type: 'device.open_case' })
  t.equal(kiosk.asked.length, 1, 'it is the first connection')
})

t.test('a look that cannot be read does not end the stream', async (t) => {
  const failing: TenantBranding = { read: async () => Promise.reject(new Error('no answer')) }
  const { api, base } = await kioskWorld(t, { branding: failing })
  const kiosk = await kioskAt(t, base)
  await openFor(api)
  t.match(await kiosk.nextEvent(1), { type: 'device.open_case' })
  t.same(kiosk.errors, [])
})
