import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { html } from '@codemirror/lang-html'
import { javascript } from '@codemirror/lang-javascript'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import styles from './CodeEditor.module.css'

/** Completions at the cursor, and how much of them is already typed. */
export interface Completions {
  typed: string
  options: readonly { label: string; detail?: string }[]
}

export interface CodeEditorHandle {
  /** Inserts text at the cursor. */
  insert(text: string): void
}

interface CodeEditorProps {
  label: string
  language: 'javascript' | 'html'
  value: string
  onChange: (value: string) => void
  /** Called for Control+S or Command+S. */
  onSave?: () => void
  /** Returns completions for the text of the line before the cursor. */
  complete?: (line: string) => Completions | undefined
  /** Errors by line, the first being 1. */
  problems?: readonly { line: number; message: string }[]
  handle?: RefObject<CodeEditorHandle | null>
}

/** A code editor. It is large, so load it lazily. Tab leaves it like any other field. */
export function CodeEditor({ label, language, value, problems, handle, ...rest }: CodeEditorProps) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(rest)
  latest.current = rest
  const first = useRef(value)
  useEffect(() => {
    const made = new EditorView({
      parent: container.current!,
      state: EditorState.create({ doc: first.current, extensions: extensionsFor(label, language, latest) }),
    })
    view.current = made
    return () => made.destroy()
  }, [label, language])
  useEffect(() => {
    const { current } = view
    if (!current || current.state.doc.toString() === value) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    if (view.current && problems) view.current.dispatch(showProblems(view.current.state, problems))
  }, [problems])
  useImperativeHandle(handle, () => ({
    insert(text) {
      view.current?.dispatch(view.current.state.replaceSelection(text))
      view.current?.focus()
    },
  }))
  return <div ref={container} className={styles.editor} />
}

type Latest = RefObject<Pick<CodeEditorProps, 'onChange' | 'onSave' | 'complete'>>

function extensionsFor(label: string, language: CodeEditorProps['language'], latest: Latest): Extension[] {
  const run = () => {
    latest.current.onSave?.()
    return true
  }
  const save = { key: 'Mod-s', preventDefault: true, run }
  const offer = (context: CompletionContext) => completionsAt(context, latest.current.complete)
  return [
    basicSetup,
    language === 'html' ? html() : javascript(),
    language === 'html' ? lintGutter() : autocompletion({ override: [offer] }),
    Prec.highest(keymap.of([save])),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of(
      ({ docChanged, state }) => docChanged && latest.current.onChange(state.doc.toString()),
    ),
    theme,
    syntaxHighlighting(colors),
  ]
}

function completionsAt(context: CompletionContext, complete: CodeEditorProps['complete']): CompletionResult | null {
  const { from, text } = context.state.doc.lineAt(context.pos)
  const found = complete?.(text.slice(0, context.pos - from))
  if (!found) return null
  return { from: context.pos - found.typed.length, options: [...found.options], validFor: /^[\w:]*$/ }
}

function showProblems(state: EditorState, problems: NonNullable<CodeEditorProps['problems']>) {
  return setDiagnostics(
    state,
    problems.map(({ line, message }) => {
      const { from, to } = state.doc.line(Math.min(Math.max(1, line), state.doc.lines))
      return { from, to, message, severity: 'error' as const }
    }),
  )
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
])
