/** The kiosk: idle until a case opens, and idle again with nothing left of it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { BrandContext, useColours } from '../lib/brand.ts'
import { observeHeight } from '../lib/observe-height.ts'
import { useTexts } from '../texts/use-texts.ts'
import { takeLinkedToken, type Device } from './device.ts'
import { Exit, Farewell, Greeting, IdleScreen, Pairing, Replaced, StillThere } from './screens.tsx'
import { Signing, usePrefetchedPage } from './signing.tsx'
import { useIdle } from './use-idle.ts'
import { useScreens } from './use-screens.ts'
import { useWakeLock } from './use-wake-lock.ts'

const FAREWELL_MS = 7_000

/** The token of the link that opened the page, or opens it anew. */
function useLinkedToken() {
  const [token, setToken] = useState(takeLinkedToken)
  useLayoutEffect(() => {
    const take = () => setToken((before) => takeLinkedToken() ?? before)
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return { token, forget: () => setToken(undefined) }
}

type Screens = ReturnType<typeof useScreens>

/** What is between the greeting and the end of a visit. */
function Visit({ screens }: { screens: Screens }) {
  const { screen, show, leave } = screens
  if (screen.kind === 'greeting') {
    const { opened, link } = screen
    return (
      <Greeting
        guest={screen.guest}
        isOther={screen.isOther}
        onYes={() => show({ kind: 'signing', opened, link })}
        onNo={() => leave()}
      />
    )
  }
  if (screen.kind !== 'signing') return null
  return (
    <>
      <Exit key={screen.opened.eventId} onLeave={() => leave()} />
      <Signing
        key={screen.opened.eventId}
        link={screen.link}
        onSigned={({ isMailed }) => leave({ kind: 'farewell', isSigned: true, isMailed })}
      />
    </>
  )
}

/** Says that the line is lost, above the bars, which stay in reach. */
function Banner({ isLost }: { isLost: boolean }) {
  const texts = useTexts()
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!place.current) return
    const { style } = document.documentElement
    observeHeight(place.current, (height) => style.setProperty('--banner', `${height}px`))
  }, [])
  return (
    <div ref={place} class="banner-place" role="status">
      {isLost ? <p class="notice banner">{texts.kioskLost}</p> : null}
    </div>
  )
}

/** One screen at a time; the document is in it, not in a page of its own. */
function Screens({ screens, name }: { screens: Screens; name: string }) {
  const { connection, screen, leave, endFarewell, listenAgain } = screens
  const idle = useIdle('opened' in screen, () => leave())
  if (connection === 'replaced') return <Replaced onUse={listenAgain} />
  switch (screen.kind) {
    case 'idle':
      return <IdleScreen name={name} connection={connection} />
    case 'farewell':
      return <Farewell farewell={screen} afterMs={FAREWELL_MS} onOver={endFarewell} />
    default:
      return (
        <>
          <Banner isLost={connection === 'lost'} />
          <Visit screens={screens} />
          <StillThere idle={idle} onLeave={() => leave()} />
        </>
      )
  }
}

/** Pairs the screen, and shows what its channel says in the look of the tenant. */
export function KioskApp() {
  const texts = useTexts()
  const linked = useLinkedToken()
  const screens = useScreens()
  const { device, changeDevice, connection, screen, branding } = screens
  const isSigning = screen.kind === 'signing'
  useWakeLock()
  usePrefetchedPage(connection === 'open')
  // A document brings the same colours along, and removes them when it is closed.
  useColours(isSigning ? undefined : branding?.colours)
  useEffect(() => {
    // A document names the tab itself; its title goes with it (K4).
    if (isSigning) return
    document.title = [device?.name, texts.serviceName].filter(Boolean).join(' – ')
  }, [device, texts, isSigning])

  const pair = (paired: Device) => {
    linked.forget()
    changeDevice(paired)
  }
  // A link pairs anew, also a screen that was paired before.
  if (!device || linked.token !== undefined)
    return <Pairing linked={linked.token} onPaired={pair} />
  return (
    <BrandContext.Provider value={branding}>
      <Screens screens={screens} name={device.name} />
    </BrandContext.Provider>
  )
}
