import { expect, test } from 'vitest'
import { SCRIPT_EXCEPTIONS, STYLE_EXCEPTIONS } from './browser-support/exceptions.ts'
import { newerScriptFeatures, newerStyleFeatures } from './browser-support/newer-features.ts'
import { findUses } from './browser-support/scripts.ts'
import { shippedFiles, shippedUses } from './browser-support/shipped.ts'
import { unguardedStyles } from './browser-support/styles.ts'

const newer = { scripts: newerScriptFeatures(), styles: newerStyleFeatures() }
const inScripts = (scripts: string[]) => findUses(scripts, newer.scripts).filter(({ isGuarded }) => !isGuarded)
const inStyles = (css: string) => unguardedStyles(css, newer.styles).map(({ feature }) => feature)

/** What is reported without an exception, and exceptions that nothing needs. */
function compare(uses: { feature: string; excerpt: string }[], exceptions: Record<string, string>) {
  const reported = new Set(uses.map(({ feature }) => feature))
  return {
    unsupported: uses.filter(({ feature }) => !(feature in exceptions)),
    needless: Object.keys(exceptions).filter((feature) => !reported.has(feature)),
  }
}

test('no shipped script uses what one of the oldest browsers lacks, unless it asks first', () => {
  const uses = shippedUses().filter(({ isGuarded }) => !isGuarded)
  expect(compare(uses, SCRIPT_EXCEPTIONS)).toEqual({ unsupported: [], needless: [] })
})

test('no shipped style needs what one of the oldest browsers lacks', () => {
  const uses = shippedFiles('.css')
    .flat()
    .flatMap((css) => unguardedStyles(css, newer.styles))
  expect(compare(uses, STYLE_EXCEPTIONS)).toEqual({ unsupported: [], needless: [] })
})

test.for<[code: string, feature: string]>([
  ['URL.canParse(text) ? text : undefined', 'URL.canParse'],
  ['fetch(url, { signal: AbortSignal.any([one, other]) })', 'AbortSignal.any'],
  ['list.toSorted()', '.toSorted'],
  ['list["toSpliced"](0, 1)', '.toSpliced'],
  ['window.Iterator.from(list)', 'Iterator.from'],
  ['Map.groupBy(list, keyOf)', 'Map.groupBy'],
  ['new Intl.Segmenter("en")', 'Intl.Segmenter'],
  ['new Set(one).union(other)', '.union'],
  ['text.isWellFormed()', '.isWellFormed'],
  ['map.values().filter(isOpen)', 'Iterator.prototype.filter'],
  ['map.keys().toArray()', 'Iterator.prototype.toArray'],
  ['Promise.withResolvers()', 'Promise.withResolvers'],
  ['const read = () => /[\\p{L}--[a-z]]/v.test(text)', 'flag v of regular expressions'],
  ['area.addEventListener("scrollend", settle)', 'scrollend event'],
  ['(0, r.jsx)("div", { popover: "auto" })', 'popover attribute'],
  ['if (isOpen) structuredClone(new Temporal.Instant(0n))', 'Temporal'],
])('`%s` is reported', ([code, feature]) => {
  expect(inScripts([code]).map((use) => use.feature)).toContain(feature)
})

test.for([
  'typeof Iterator === "undefined"',
  'AbortSignal.any?.(signals)',
  'if ("canParse" in URL) URL.canParse(text)',
  'Array.prototype.toSorted ? list.toSorted() : [...list].sort()',
  'const ask = () => { if (!Intl.Segmenter) return; return new Intl.Segmenter("en") }',
  'Object.values(map).filter(isOpen)',
  'function close() { const Temporal = 1; return Temporal }',
  'list.at(-1)',
])('`%s` is not reported', (code) => {
  expect(inScripts([code])).toEqual([])
})

test('what an application fills in may be used in all of its scripts, and in no other', () => {
  const fill = 'define(Array.prototype, "toSorted", function () { return [...this].sort() })'
  expect(inScripts([fill, 'list.toSorted()'])).toEqual([])
  expect(inScripts(['list.toSorted()'])).toHaveLength(1)
})

test.for<[code: string, feature: string]>([
  ['a { background: color-mix(in srgb, red, blue) }', 'color-mix()'],
  ['a { background: red; background: color-mix(in srgb, var(--a), blue) }', 'color-mix()'],
  ['a:has(b) { color: red }', ':has'],
  ['a { & b { color: red } }', 'nesting'],
  ['@starting-style { a { opacity: 0 } }', '@starting-style'],
  ['a { text-wrap: balance }', 'text-wrap'],
  ['a { color: light-dark(red, blue) }', 'light-dark()'],
])('`%s` is reported', ([css, feature]) => {
  expect(inStyles(css)).toContain(feature)
})

test.for([
  'a { background: red; background: color-mix(in srgb, red, blue) }',
  '@supports (color: color-mix(in srgb, red, red)) { a { background: color-mix(in srgb, var(--a), red) } }',
  '@supports selector(:has(*)) { a:has(b) { color: red } }',
  'a:is(:hover, :focus-visible) { height: 100dvh }',
])('`%s` is not reported', (css) => {
  expect(inStyles(css)).toEqual([])
})
