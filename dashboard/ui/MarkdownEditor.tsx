import { markdown } from '@codemirror/lang-markdown'
import { EditorView, keymap } from '@codemirror/view'
import { minimalSetup } from 'codemirror'
import { type RefObject, useImperativeHandle, useRef } from 'react'
import styles from './CodeEditor.module.css'
import { insertBlock, insertLink, toggleLines, toggleMarks } from './markdown-commands.ts'
import { useCodeView } from './useCodeView.ts'

export interface MarkdownEditorHandle {
  /** Puts marks around the selection, such as `**`, or takes them away. */
  toggleMarks(marks: string): void
  /** Begins each selected line with a prefix, such as `- `, or takes it away. */
  toggleLines(prefix: string): void
  /** Makes the selection a link; without one the placeholder is its text. */
  insertLink(placeholder: string): void
  /** Inserts a block, such as a table or a picture, below the line of the cursor. */
  insertBlock(block: string): void
}

interface MarkdownEditorProps {
  label: string
  value: string
  onChange: (value: string) => void
  onSave?: () => void
  /** Called with files that are pasted or dropped. */
  onFiles: (files: File[]) => void
  handle: RefObject<MarkdownEditorHandle | null>
}

/** An editor for Markdown. It is large, so load it lazily. Tab leaves it like any other field. */
export function MarkdownEditor({ onFiles, handle, ...rest }: MarkdownEditorProps) {
  const fileHandler = useRef(onFiles)
  fileHandler.current = onFiles
  const { container, view } = useCodeView({
    ...rest,
    language: 'markdown',
    extensions: () => [
      minimalSetup,
      markdown(),
      keymap.of([
        { key: 'Mod-b', preventDefault: true, run: (target) => toggleMarks(target, '**') },
        { key: 'Mod-i', preventDefault: true, run: (target) => toggleMarks(target, '_') },
      ]),
      // Each line has the direction of its own text.
      EditorView.perLineTextDirection.of(true),
      EditorView.theme({ '.cm-line': { unicodeBidi: 'plaintext', textAlign: 'start' }, '&': { fontSize: '14px' } }),
      EditorView.domEventHandlers({
        paste: ({ clipboardData }) => handleFiles(clipboardData),
        drop: ({ dataTransfer }) => handleFiles(dataTransfer),
      }),
    ],
  })
  function handleFiles(transfer: DataTransfer | null): boolean {
    // Office programs add a picture to copied text; only the text is wanted.
    if (!transfer?.files.length || transfer.types.includes('text/plain')) return false
    fileHandler.current([...transfer.files])
    return true
  }
  useImperativeHandle(handle, () => {
    const run = (work: (view: EditorView) => unknown) => view.current && work(view.current)
    return {
      toggleMarks: (marks) => run((target) => toggleMarks(target, marks)),
      toggleLines: (prefix) => run((target) => toggleLines(target, prefix)),
      insertLink: (placeholder) => run((target) => insertLink(target, placeholder)),
      insertBlock: (block) => run((target) => insertBlock(target, block)),
    }
  })
  return <div ref={container} className={styles.editor} />
}
