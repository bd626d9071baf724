import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { html } from '@codemirror/lang-html'
import { javascript } from '@codemirror/lang-javascript'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'
import { basicSetup } from 'codemirror'
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import styles from './CodeEditor.module.css'
import { useCodeView } from './useCodeView.ts'

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
export function CodeEditor({ problems, handle, complete, ...rest }: CodeEditorProps) {
  const latest = useRef(complete)
  latest.current = complete
  const extensions = () => [
    basicSetup,
    rest.language === 'html' ? html() : javascript(),
    rest.language === 'html' ? lintGutter() : autocompletion({ override: [offer] }),
  ]
  const offer = (context: CompletionContext) => completionsAt(context, latest.current)
  const { container, view } = useCodeView({ ...rest, extensions })
  useEffect(() => {
    if (view.current && problems) view.current.dispatch(showProblems(view.current.state, problems))
  }, [problems, view])
  useImperativeHandle(handle, () => ({
    insert(text) {
      view.current?.dispatch(view.current.state.replaceSelection(text))
      view.current?.focus()
    },
  }))
  return <div ref={container} className={styles.editor} />
}

function completionsAt(context: CompletionContext, complete: CodeEditorProps['complete']): CompletionResult | null {
  const { from, text } = context.state.doc.lineAt(context.pos)
  const completions = complete?.(text.slice(0, context.pos - from))
  if (!completions) return null
  return { from: context.pos - completions.typed.length, options: [...completions.options], validFor: /^[\w:]*$/ }
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
