import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { type RefObject, useEffect, useRef } from 'react'

interface CodeViewOptions {
  label: string
  value: string
  onChange: (value: string) => void
  /** Called for Control+S or Command+S. */
  onSave?: (() => void) | undefined
  /** The language and its tools. Only a change of the label or of the language makes a new editor. */
  extensions: () => Extension
  language: string
}

/** Makes an editor in the element of `container`, and keeps its text equal to `value`. */
export function useCodeView({ label, value, language, ...rest }: CodeViewOptions) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(rest)
  latest.current = rest
  const first = useRef(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language makes a new editor
  useEffect(() => {
    const extensions = [latest.current.extensions(), commonExtensions(label, latest)]
    const made = new EditorView({
      parent: container.current!,
      state: EditorState.create({ doc: first.current, extensions }),
    })
    view.current = made
    return () => made.destroy()
  }, [label, language])
  useEffect(() => {
    const { current } = view
    if (!current || current.state.doc.toString() === value) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } })
  }, [value])
  return { container, view }
}

function commonExtensions(label: string, latest: RefObject<Pick<CodeViewOptions, 'onChange' | 'onSave'>>): Extension[] {
  const run = () => {
    latest.current.onSave?.()
    return true
  }
  return [
    Prec.highest(keymap.of([{ key: 'Mod-s', preventDefault: true, run }])),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of(
      ({ docChanged, state }) => docChanged && latest.current.onChange(state.doc.toString()),
    ),
    theme,
    syntaxHighlighting(colors),
  ]
}

const theme = EditorView.theme({
  '&': { color: 'var(--ink-strong)', backgroundColor: 'var(--panel)', fontSize: '13px', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-content': { caretColor: 'var(--ink-strong)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink-strong)' },
  '.cm-gutters': { color: 'var(--ink-quiet)', backgroundColor: 'var(--sunken)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--tint)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-ground)',
  },
  '.cm-selectionMatch, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-ground)' },
  '.cm-tooltip, .cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--raised)', borderColor: 'var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--on-accent)', backgroundColor: 'var(--accent)' },
})

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName], color: 'var(--accent)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--success-ink)' },
  { tag: [tags.number, tags.bool, tags.null, tags.regexp], color: 'var(--danger-ink)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--bot-ink)' },
  { tag: tags.comment, color: 'var(--ink-quiet)', fontStyle: 'italic' },
  { tag: tags.heading, color: 'var(--ink-strong)', fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.quote, tags.monospace], color: 'var(--bot-ink)' },
])
