/** An editor of code, in a shadow root: there its style sheets need no permission of the policy. */
import { useEffect, useRef } from 'preact/hooks'
import { json } from '@codemirror/lang-json'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Prec, type Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { graphql, updateSchema } from 'cm6-graphql'
import { basicSetup, EditorView } from 'codemirror'
import type { GraphQLSchema } from 'graphql'

/** Colours of the page, which also reach into a shadow root. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword], color: 'var(--accent)' },
  { tag: [tags.string, tags.bool, tags.number, tags.null], color: 'var(--good)' },
  { tag: [tags.variableName, tags.special(tags.name)], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--ink-quiet)' },
])

const CODE_FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'
const QUIET = { backgroundColor: 'var(--sunken)', color: 'var(--ink-quiet)' }
const SURFACE = {
  backgroundColor: 'var(--surface)',
  color: 'var(--ink)',
  border: '1px solid var(--line-strong)',
}
const CHOSEN = { backgroundColor: 'var(--accent-soft)', color: 'var(--ink)' }

const LOOK = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: CODE_FONT, fontSize: '0.875rem' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { ...QUIET, borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--accent-soft)', color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': CHOSEN,
  '.cm-selectionBackground': CHOSEN,
  '.cm-tooltip, .cm-panels': SURFACE,
  '.cm-tooltip-autocomplete ul li[aria-selected]': CHOSEN,
  '.cm-completionDetail': { color: 'var(--ink-quiet)' },
  '.cm-foldPlaceholder': QUIET,
})

/**
 * Replaces a selection when the person types over it. Chromium would join the lines with style
 * attributes, which the policy of the page refuses.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data } = event
  const { from, to, empty } = view.state.selection.main
  if (inputType !== 'insertText' || data === null || empty || view.composing) return false
  event.preventDefault()
  const insert = () =>
    view.state.update(view.state.replaceSelection(data), {
      userEvent: 'input.type',
      scrollIntoView: true,
    })
  const handlers = view.state.facet(EditorView.inputHandler)
  if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert())
  return true
}

interface EditorProps {
  label: string
  language: 'graphql' | 'json'
  value: string
  schema?: GraphQLSchema | undefined
  onChange(value: string): void
  onRun(): void
}

const languageOf = (language: EditorProps['language']): Extension =>
  language === 'json' ? json() : graphql()

/** Tab leaves the editor, as it leaves every other field. */
export function Editor(props: EditorProps) {
  const { label, language, value, schema } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    if (!place.current) return undefined
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' })
    const run = () => {
      latest.current.onRun()
      return true
    }
    const editor = new EditorView({
      doc: value,
      root,
      parent: root,
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        basicSetup,
        languageOf(language),
        syntaxHighlighting(COLOURS),
        LOOK,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString())
        }),
      ],
    })
    view.current = editor
    if (language === 'graphql' && latest.current.schema) {
      updateSchema(editor, latest.current.schema)
    }
    return () => editor.destroy()
  }, [label, language])

  useEffect(() => {
    if (view.current && language === 'graphql') updateSchema(view.current, schema)
  }, [schema, language])

  return <div class={`editor ${language}`} ref={place} />
}
