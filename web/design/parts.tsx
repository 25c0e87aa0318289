/** The parts of which every page is made. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useBrand } from '../lib/brand.ts'
import { mayTakeFocus } from '../lib/frame.ts'
import { LANGUAGES, TEXTS, useSpeech, useTexts } from '../texts/use-texts.ts'
import iconUrl from './icon.svg'

const SIGNS = {
  check: 'M5 13l5 5L20 7',
  stop: 'M12 3a9 9 0 100 18 9 9 0 000-18M12 8v5m0 3v.01',
  clock: 'M12 3a9 9 0 100 18 9 9 0 000-18M12 7v5l3 2',
  next: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  more: 'M5 11a1 1 0 100 2 1 1 0 000-2M12 11a1 1 0 100 2 1 1 0 000-2M19 11a1 1 0 100 2 1 1 0 000-2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13M15.5 15.5L21 21',
  phone: 'M7 2h10v20H7zM11 18.5h2',
  plus: 'M12 6v12M6 12h12',
  minus: 'M6 12h12',
  close: 'M6 6l12 12M18 6L6 18',
  undo: 'M9 6l-5 4 5 4M4 10h9a5 5 0 010 10h-2',
  save: 'M12 4v11m-5-4l5 5 5-5M5 20h14',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  ask: 'M9 9a3 3 0 115 2.2c-1.2.9-2 1.4-2 2.8m0 4v.01',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z',
  pen: 'M4 20l4-1L19 8l-3-3L5 16z',
} as const

/** A line drawing in the colour of the text; for eyes alone, because words are beside it. */
export function Sign({ name }: { name: keyof typeof SIGNS }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={SIGNS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}

/** Each language in its own words. */
export function Languages() {
  const { language, texts, speak } = useSpeech()
  return (
    <div class="languages" role="group" aria-label={texts.languageSwitch}>
      {LANGUAGES.map((other) => (
        <button
          type="button"
          class="button"
          lang={other}
          aria-pressed={other === language}
          onClick={() => speak(other)}
        >
          {TEXTS[other].languageName}
        </button>
      ))}
    </div>
  )
}

/** The logo that the sender chose; nothing when there is none. */
export function Logo() {
  const texts = useTexts()
  const { logo, sender } = useBrand() ?? {}
  if (!logo) return null
  return (
    <img
      class="logo"
      src={logo.url}
      width={logo.width}
      height={logo.height}
      alt={texts.logoOf(sender?.name)}
    />
  )
}

/** The logo that the sender chose, whose service it is, and the languages. */
export function Bar() {
  const texts = useTexts()
  return (
    <div class="topbar">
      <span class="brand-bar">
        <Logo />
        <span class="brand">
          <img src={iconUrl} alt="" />
          {texts.serviceName}
        </span>
      </span>
      <Languages />
    </div>
  )
}

/** A header with nothing but the bar. */
export function TopBar() {
  return (
    <header>
      <Bar />
    </header>
  )
}

interface StepHeadingProps {
  /** Id of a sentence before it, which is read with it. */
  describedBy?: string | undefined
  children: ComponentChildren
}

/** A heading that takes the focus when it appears: it is read, and the keyboard starts there. */
export function StepHeading({ describedBy, children }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Before the paint: later, the person may already have moved the focus.
  useLayoutEffect(() => {
    if (mayTakeFocus()) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} aria-describedby={describedBy}>
      {children}
    </h1>
  )
}

/** One thing in the middle of the page. */
export function Stage({ children }: { children: ComponentChildren }) {
  return (
    <div class="stage">
      <TopBar />
      <main>
        <div class="card stack">{children}</div>
      </main>
    </div>
  )
}

/** Says at once what went wrong; the place is there before, so that screen readers notice. */
export function Fault({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <div role="alert" {...(id === undefined ? {} : { id })}>
      {children ? <p class="notice bad">{children}</p> : null}
    </div>
  )
}

interface DialogProps {
  heading: string
  onClose(): void
  children: ComponentChildren
}

/** Focuses what had the focus before; when that is gone, the heading of the page. */
export function focusAgain(before: Element | null): void {
  const heading = document.querySelector('h1[tabindex="-1"]')
  const next = before?.isConnected ? before : heading
  if (next instanceof HTMLElement) next.focus({ preventScroll: true })
}

/** Keeps the focus inside while it is open, and gives it back. */
export function Dialog({ heading, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const texts = useTexts()
  // Before the paint: keys that are pressed next belong to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    title.current?.focus()
    return () => {
      element?.close()
      focusAgain(before)
    }
  }, [])
  const onCancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  // Browsers close it at a second Escape, whatever was said to the first.
  const onClosed = () => {
    if (dialog.current?.isConnected) dialog.current.showModal()
  }
  return (
    <dialog ref={dialog} aria-label={heading} onCancel={onCancel} onClose={onClosed}>
      <div class="stack">
        <div class="topbar">
          <h2 ref={title} tabIndex={-1}>
            {heading}
          </h2>
          <button type="button" class="button plain" aria-label={texts.close} onClick={onClose}>
            <Sign name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
