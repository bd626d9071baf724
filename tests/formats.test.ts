import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const files = globSync('{contract,server,dashboard,widget,sdk}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/node_modules|\.test\.tsx?$/.test(file),
)

/** Calls whose result is written for people, and differs between engines, their versions and languages. */
const WRITES = /\b(Intl\.\w+Format\(|\.format\(|\.toLocale(Date|Time)?String\(|\.to(Date|Time)String\()/g
/** What code does with a text that it reads: takes parts of it, or compares it. */
const READS =
  /^\s*(\??\.(slice|split|substring|substr|match|matchAll|replace|replaceAll|at|charAt|indexOf)\b|\[|[!=]==|[<>])/
/** What reads a text given to it. */
const PARSES = /\b(Date\.parse|new Date|Number|parseInt|parseFloat)\(\s*$/

/** Where the parentheses that open just before a position are closed. */
function closingOf(code: string, start: number): number {
  let depth = 1
  for (let at = start; at < code.length; at++) {
    if (code[at] === '(') depth += 1
    if (code[at] === ')') depth -= 1
    if (depth === 0) return at + 1
  }
  return code.length
}

/** Lines of code that read a format made for people. */
const PARTS = /^\s*\.(formatToParts|resolvedOptions)\(/

/** Whether a format is kept in a constant of which nothing but its parts is used. */
function onlyReadsParts(code: string, index: number): boolean {
  const [, name] = /const (\w+) = (?:new )?$/.exec(code.slice(0, index)) ?? []
  if (!name) return false
  const uses = [...code.matchAll(new RegExp(`\\b${name}(\\.\\w+\\()`, 'g'))]
  return uses.length > 0 && uses.every(([, use]) => PARTS.test(use!))
}

function findReaders(code: string): string[] {
  return [...code.matchAll(WRITES)]
    .filter(({ 0: call, index }) => {
      const start = index + call.length
      const after = code.slice(closingOf(code, start))
      const hasFixedLanguage = /^Intl\.DateTimeFormat\(/.test(call) && /^\s*['"]/.test(code.slice(start))
      // A fixed language is not for people, so somebody counts on how it looks.
      if (hasFixedLanguage) return !PARTS.test(after) && !onlyReadsParts(code, index)
      const statement = code.slice(code.lastIndexOf('\n', index) + 1, index)
      return READS.test(after) || PARSES.test(statement.replace(/[\w.)]*$/, ''))
    })
    .map(({ index }) => code.slice(code.lastIndexOf('\n', index) + 1, code.indexOf('\n', index)).trim())
}

test('code that reads formats is recognized', () => {
  const readers = [
    "const day = new Intl.DateTimeFormat('en-CA', options).format(now)",
    "const [month] = date.toLocaleDateString('en-US').split('/')",
    'const year = formatter.format(now).slice(-4)',
    'const isToday = one.toDateString() === other.toDateString()',
    'const time = Date.parse(now.toLocaleString(language))',
  ]
  for (const line of readers) expect(findReaders(`${line}\n`)).toContain(line)
  expect(findReaders("const parts = new Intl.DateTimeFormat('en', { timeZone }).formatToParts(now)\n")).toEqual([])
  expect(findReaders('const text = new Intl.NumberFormat(language).format(count)\n')).toEqual([])
})

test('no code reads a format made for people', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(
    files.flatMap((file) => findReaders(readFileSync(resolve(root, file), 'utf8')).map((line) => `${file}: ${line}`)),
  ).toEqual([])
})

/** Written in the language of the screens, these ignore the region of the browser: 27/11 would be 11/27 in Britain. */
const WITHOUT_REGION = /\b(new Intl\.(DateTime|Number|RelativeTime)Format\(|\.toLocale(Date|Time)?String\(|\.toFixed\()/

test('dates and numbers on the dashboard are written in the format of the browser’s region', () => {
  const writers = ['dashboard/platform/formats.ts', 'dashboard/platform/times.ts']
  const others = files.filter((file) => file.startsWith('dashboard/') && !writers.includes(file))
  expect(
    others.filter((file) =>
      WITHOUT_REGION.test(readFileSync(resolve(root, file), 'utf8').replaceAll("Format('en'", '')),
    ),
  ).toEqual([])
})
