import { FRAME } from './frame-element.ts'

// Adapts style sheets to a document whose frames are replaced by elements. URLs and strings in them are not changed.

const APART = /url\([^)]*\)|"[^"]*"|'[^']*'|\/\*.*?\*\//s.source
const FRAME_NAME = new RegExp(`${APART}|(^|[\\s,>+~(}])iframe(?![\\w-])`, 'gis')
const ROOT_OR_LENGTH = new RegExp(`${APART}|:root\\b|(\\d)[sld]?v(w|h|i|b|min|max)\\b`, 'gis')
/** Media queries that have the same meaning as container queries. */
const SIZE_QUERY =
  /@media\s+(?:(?:only\s+)?(?:screen|all)\s+and\s+)?((?:\((?:min-|max-)?(?:width|height|aspect-ratio|orientation)[^(){}]*\)(?:\s+and\s+)?)+)\s*(?=\{)/gi

/** Selectors for frames apply to the elements that replace them. */
export function renameFrames(css: string): string {
  return css.replace(FRAME_NAME, (whole, before?: string) => (before === undefined ? whole : before + FRAME))
}

/** Scopes styles to a frame: its `html` is the root, and its size is that of the viewport. */
export function scopeToFrame(css: string): string {
  return renameFrames(css)
    .replace(SIZE_QUERY, '@container $1')
    .replace(ROOT_OR_LENGTH, (whole, digit?: string, side?: string) => {
      if (whole.toLowerCase() === ':root') return ':is(html,:root)'
      return digit === undefined ? whole : `${digit}cq${side}`
    })
}
