/**
 * Uses that the check reports and that are harmless, each with its reason. The test fails for one that is not reported
 * any more.
 */
export const SCRIPT_EXCEPTIONS: Record<string, string> = {
  '.chunks': 'CodeMirror’s own field.',
  '.intersection': 'CodeMirror’s own observer.',
  EditContext: 'CodeMirror asks for it, and for Android’s Chrome 126, in a constant.',
  cancelIdleCallback: 'CodeMirror uses it only for an id that `requestIdleCallback` returned, for which it asks.',
  '.checkVisibility': 'React Aria asks for it in a constant.',
  '.notification':
    'A field of our own messages; and of presses on notifications, which come only where there are some.',
  '.isError': 'A field of CodeMirror’s node types.',
  'Intl.Segmenter': 'CodeMirror reads it without using it.',
  '.segment': 'Behind `?.` on a segmenter, which is missing where `Intl` has none.',
  '.containing': 'The same.',
  'Iterator.from': 'Immer reads it behind `?.`, without using it.',
  '.try': 'A class name of our styles.',
  '.use': 'React’s function.',
  '.drop': 'A method of our own objects.',
  '.startViewTransition': 'React catches the error, and changes the page without a transition.',
  '.toBase64': 'A method of PostCSS’s source maps.',
  '.priority': 'A field of rrweb’s style changes.',
  '.Now': 'Asked for by `Temporal` itself, which is kept in a variable.',
}

const LOOKS = 'Only looks: nothing is missing without it.'
const OWN_LIST = 'The list of a select, which others draw themselves.'
const NO_POINTER = 'Phones have no pointer whose shape could change.'

export const STYLE_EXCEPTIONS: Record<string, string> = {
  'cursor: default': NO_POINTER,
  'cursor: grab': NO_POINTER,
  'cursor: grabbing': NO_POINTER,
  'cursor: not-allowed': NO_POINTER,
  'cursor: pointer': NO_POINTER,
  'cursor: progress': NO_POINTER,
  'cursor: zoom-in': NO_POINTER,
  'font-family: ui-monospace': 'A name of a font, with others after it.',
  'overflow-anchor': 'Turns off what Safari does not do.',
  resize: 'Phones resize no fields.',
  'scrollbar-width': LOOKS,
  'field-sizing': 'The field scrolls where it does not grow.',
  'text-wrap': LOOKS,
  ':picker': OWN_LIST,
  ':picker-icon': OWN_LIST,
  ':checkmark': OWN_LIST,
  ':selection': 'Phones mark selections in their own color.',
  ':has':
    'Pointing at a row; fields that share a row of a phone; a bubble’s frame around a picture. Rules of their own.',
}
