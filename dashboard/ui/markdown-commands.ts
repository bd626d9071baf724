import { EditorSelection } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/**
 * Puts marks around the selection, such as `**`, or takes them away if they are there. The text stays selected.
 * @returns true, as commands of keys do
 */
export function toggleMarks(view: EditorView, marks: string): boolean {
  const { state } = view
  const size = marks.length
  view.dispatch(
    state.changeByRange(({ from, to }) => {
      const isMarked = state.sliceDoc(from - size, from) === marks && state.sliceDoc(to, to + size) === marks
      const changes = isMarked
        ? [
            { from: from - size, to: from },
            { from: to, to: to + size },
          ]
        : [
            { from, insert: marks },
            { from: to, insert: marks },
          ]
      const shift = isMarked ? -size : size
      return { changes, range: EditorSelection.range(from + shift, to + shift) }
    }),
  )
  view.focus()
  return true
}

/** Begins each selected line with a prefix, such as `- `, or takes it away if all of them have it. */
export function toggleLines(view: EditorView, prefix: string): void {
  const { state } = view
  const { from, to } = state.selection.main
  const first = state.doc.lineAt(from).number
  const last = state.doc.lineAt(to).number
  const lines = Array.from({ length: last - first + 1 }, (_, at) => state.doc.line(first + at))
  const isPrefixed = lines.every(({ text }) => text.startsWith(prefix))
  view.dispatch({
    changes: lines.map((line) =>
      isPrefixed ? { from: line.from, to: line.from + prefix.length } : { from: line.from, insert: prefix },
    ),
  })
  view.focus()
}

/** Makes the selection a link, and selects its address to be typed over. */
export function insertLink(view: EditorView, placeholder: string): void {
  const { state } = view
  const { from, to } = state.selection.main
  const text = state.sliceDoc(from, to) || placeholder
  const address = 'https://'
  const start = from + text.length + 3
  view.dispatch({
    changes: { from, to, insert: `[${text}](${address})` },
    selection: EditorSelection.range(start, start + address.length),
  })
  view.focus()
}

/** Inserts a block, such as a table, with blank lines around it. */
export function insertBlock(view: EditorView, block: string): void {
  const { state } = view
  const { to } = state.selection.main
  const line = state.doc.lineAt(to)
  const insert = `${line.text ? '\n\n' : ''}${block}\n`
  view.dispatch({ changes: { from: line.to, insert }, selection: { anchor: line.to + insert.length } })
  view.focus()
}
