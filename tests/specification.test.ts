import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** `- [x] What is specified — \`file\` › “name of the test”` */
const HELD = /^- \[x\] .+ — `([^`]+)` › “(.+)”$/
/** `- [ ] What is specified — why no test holds it` */
const NOT_HELD = /^- \[ \] .+ — .{10,}$/

const lines = readFileSync('docs/specification.md', 'utf8').split('\n')
const statements = lines.filter((line) => line.startsWith('- '))

test('every line of docs/specification.md names a test, or says why there is none', () => {
  expect(statements.length).toBeGreaterThan(400)
  expect(statements.filter((line) => !HELD.test(line) && !NOT_HELD.test(line))).toEqual([])
})

test('every test that docs/specification.md names exists', () => {
  const missing = statements.flatMap((line) => {
    const [, file, name] = HELD.exec(line) ?? []
    return file && name && !namesTest(file, name) ? [`${file} › ${name}`] : []
  })
  expect(missing).toEqual([])
})

const sources = new Map<string, string>()

/** Whether a file has a test of that name, in whatever quotes. */
function namesTest(file: string, name: string): boolean {
  if (!sources.has(file)) sources.set(file, readSource(file))
  const source = sources.get(file)!
  return ["'", '"', '`'].some((quote) => source.includes(`(${quote}${name.replaceAll(quote, `\\${quote}`)}${quote}`))
}

function readSource(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
