/** What surrounds every page of the console: name, pages, language, sign-out. */
import type { ComponentChildren } from 'preact'
import { Languages } from '../design/parts.tsx'
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

/** The frame of the pages. */
export function Shell({ name, route, onSignOut, children }: ShellProps) {
  const texts = useConsoleTexts()
  const { serviceName } = useTexts()
  const current = route.page === 'case' ? 'cases' : route.page
  const names = {
    cases: texts.pageCases,
    create: texts.pageCreate,
    statistics: texts.pageStatistics,
    webhooks: texts.pageWebhooks,
    devices: texts.pageDevices,
  }
  return (
    <div class="console">
      <header class="console-bar">
        <a class="brand" href="/">
          <img src={iconUrl} alt="" />
          {serviceName}
        </a>
        <nav aria-label={texts.pages}>
          {PAGES.map((page) => (
            <a href={LINKS[page]} aria-current={page === current ? 'page' : undefined}>
              {names[page]}
            </a>
          ))}
        </nav>
        <div class="console-account">
          <Languages />
          <bdi class="quiet small">{name}</bdi>
          <button type="button" class="button plain" onClick={onSignOut}>
            {texts.signOut}
          </button>
        </div>
      </header>
      <main class="console-main">{children}</main>
    </div>
  )
}
