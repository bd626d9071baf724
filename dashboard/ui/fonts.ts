import latin from '@fontsource-variable/commissioner/files/commissioner-latin-wght-normal.woff2'
import vietnamese from '@fontsource-variable/commissioner/files/commissioner-vietnamese-wght-normal.woff2'

const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,' +
  'U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD'
const VIETNAMESE =
  'U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,' +
  'U+0323,U+0329,U+1EA0-1EF9,U+20AB'

/** The font, from our own server, with the characters of both languages. */
export const fontFaces = fontFace(vietnamese, VIETNAMESE) + fontFace(latin, LATIN)

function fontFace(file: string, letters: string): string {
  return (
    "@font-face{font-family:'Commissioner Variable';font-style:normal;font-display:swap;font-weight:100 900;" +
    `src:url(${file}) format('woff2-variations');unicode-range:${letters}}`
  )
}
