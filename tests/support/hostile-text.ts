/** The longest message. */
export const LENGTH = 50_000

/** What texts are made of that bring other programs to their knees. */
export const PIECES = [
  ...'[](){}<>"\'`*_~!#>-\\ \n\t.,:;@/|a’“（「',
  '](',
  '![',
  '[a](',
  '**a ',
  '__a ',
  '~~a',
  '```',
  '`a',
  '- ',
  '1. ',
  '> ',
  '\n\n',
  '- a\n',
  'http://',
  'https://x',
  'http://a/(',
  'http://a/"',
  "http://a/'",
  '_http://a/',
  'http://a_',
  'http://a:1',
  'www.',
  'a@',
  'a@a.',
  'a@a.de',
  '](https://x',
  'e\u0301',
  '\u0301',
  '👩‍👩‍👧',
  '🇩🇪',
  '\u202e',
  '\u2066',
  '\u200d',
  'ท',
  '。',
]

/** A message that repeats a piece for as long as messages may be. */
export const full = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH)
