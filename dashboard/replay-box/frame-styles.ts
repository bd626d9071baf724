import { FRAME } from './frame-element.ts'

// Styles of a page are drawn in a document in which no frame is a frame. Addresses and texts in them are left alone.

const APART = /url\([^)]*\)|"[^"]*"|'[^']*'|\/\*.*?\*\//s.source
const FRAME_NAME = new RegExp(`${APART}|(^|[\\s,>+~(}])iframe(?![\\w-])`, 'gis')
const ROOT_OR_LENGTH = new RegExp(`${APART}|:root\\b|(\\d)[sld]?v(w|h|i|b|min|max)\\b`, 'gis')
/** Questions about the window that can be asked of an element, and no others beside. */
const SIZE_QUERY =
  /@media\s+(?:(?:only\s+)?(?:screen|all)\s+and\s+)?((?:\((?:min-|max-)?(?:width|height|aspect-ratio|orientation)[^(){}]*\)(?:\s+and\s+)?)+)\s*(?=\{)/gi

/** What is said of frames holds for what stands in their place. */
export function renameFrames(css: string): string {
  return css.replace(FRAME_NAME, (whole, before?: string) => (before === undefined ? whole : before + FRAME))
}

/** Styles within a frame: its `html` is the root of the page, and its own size is that of the window. */
export function scopeToFrame(css: string): string {
  return renameFrames(css)
    .replace(SIZE_QUERY, '@container $1')
    .replace(ROOT_OR_LENGTH, (whole, digit?: string, side?: string) => {
      if (whole.toLowerCase() === ':root') return ':is(html,:root)'
      return digit === undefined ? whole : `${digit}cq${side}`
    })
}
