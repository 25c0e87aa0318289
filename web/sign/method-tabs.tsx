/** The ways to make a signature, as tabs. */
import { useTexts } from '../texts/use-texts.ts'

export const METHODS = ['saved', 'draw', 'type', 'upload'] as const
export type Method = (typeof METHODS)[number]

/** A step of the arrow keys through the tabs (WAI-ARIA, tabs). */
function neighbour(methods: readonly Method[], method: Method, key: string): Method | undefined {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (by === undefined) return undefined
  return methods[(methods.indexOf(method) + by + methods.length) % methods.length]
}

interface TabsProps {
  /** The methods to choose from. */
  methods: readonly Method[]
  method: Method
  onChoose(method: Method): void
}

/** Focuses the tab of a method. */
export const focusTab = (method: Method): void =>
  document.querySelector<HTMLElement>(`[data-method="${method}"]`)?.focus()

/** One tab for each method; its panel has the id `method-panel`. */
export function MethodTabs({ methods, method, onChoose }: TabsProps) {
  const texts = useTexts()
  const turn = (event: KeyboardEvent) => {
    const next = neighbour(methods, method, event.key)
    if (!next) return
    onChoose(next)
    focusTab(next)
  }
  return (
    <div class="tabs" role="tablist" aria-label={texts.methods} onKeyDown={turn}>
      {methods.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`tab-${one}`}
          data-method={one}
          aria-selected={one === method}
          aria-controls="method-panel"
          tabIndex={one === method ? 0 : -1}
          onClick={() => onChoose(one)}
        >
          {texts[one]}
        </button>
      ))}
    </div>
  )
}
