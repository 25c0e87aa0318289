/** What surrounds every page of the console: name, pages, language, sign-out. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Languages, Sign } from '../design/parts.tsx'
import iconUrl from '../design/icon.svg'
import { useTexts } from '../texts/use-texts.ts'
import { LINKS, type Route } from './routes.ts'
import { useConsoleTexts } from './use-console-texts.ts'

interface ShellProps {
  /** Tenant or user. */
  name: string
  route: Route
  onSignOut(): void
  children: ComponentChildren
}

const PAGES = ['cases', 'create', 'statistics', 'webhooks', 'devices'] as const
const MENU = 'console-menu'

/** The menu of a narrow screen: it closes when another page opens, and at Escape. */
function useMenu(route: Route) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => setOpen(false), [route.page])
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (!isOpen || key !== 'Escape') return
    setOpen(false)
    opener.current?.focus()
  }
  return { isOpen, toggle: () => setOpen(!isOpen), opener, onKeyDown }
}

/** The pages of the console, with a mark at the current one. */
function PageLinks({ route }: { route: Route }) {
  const texts = useConsoleTexts()
  const current = route.page === 'case' ? 'cases' : route.page
  const names = {
    cases: texts.pageCases,
    create: texts.pageCreate,
    statistics: texts.pageStatistics,
    webhooks: texts.pageWebhooks,
    devices: texts.pageDevices,
  }
  return (
    <nav aria-label={texts.pages}>
      {PAGES.map((page) => (
        <a href={LINKS[page]} aria-current={page === current ? 'page' : undefined}>
          {names[page]}
        </a>
      ))}
    </nav>
  )
}

/** The frame of the pages. On a narrow screen, a button shows and hides what is in the header. */
export function Shell({ name, route, onSignOut, children }: ShellProps) {
  const texts = useConsoleTexts()
  const { serviceName } = useTexts()
  const { isOpen, toggle, opener, onKeyDown } = useMenu(route)
  return (
    <div class="console">
      <header class="console-bar" onKeyDown={onKeyDown}>
        <a class="brand" href="/">
          <img src={iconUrl} alt="" />
          {serviceName}
        </a>
        <button
          ref={opener}
          type="button"
          class="button plain console-opener"
          aria-expanded={isOpen}
          aria-controls={MENU}
          onClick={toggle}
        >
          <Sign name={isOpen ? 'close' : 'menu'} />
          {texts.menu}
        </button>
        <div id={MENU} class={isOpen ? 'console-menu open' : 'console-menu'}>
          <PageLinks route={route} />
          <div class="console-account">
            <Languages />
            <bdi class="quiet small">{name}</bdi>
            <button type="button" class="button plain" onClick={onSignOut}>
              {texts.signOut}
            </button>
          </div>
        </div>
      </header>
      <main class="console-main">{children}</main>
    </div>
  )
}
