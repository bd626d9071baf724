import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Everyday words that say nothing about what they name (docs/style.md). */
const VAGUE = 'one|some|those|found|known|given|gone|here|there|place|places|way|isOver|isIn|isHere|isNews'
const DECLARED = new RegExp(
  [
    `\\b(?:const|let) (?:${VAGUE})\\b`,
    // The others are verbs, too: `place`.
    '\\bfunction (?:found|known|given)\\b',
    // A parameter of an arrow function, alone or before another.
    `[(,] ?(?:${VAGUE})(?:\\)|, \\w+\\)) =>`,
    // A parameter with a type.
    `[(,] ?(?:${VAGUE}): [A-Z][\\w<>[\\]]*[,)]`,
  ].join('|'),
)

test('constants and parameters are named for what they are', () => {
  const files = globSync('{bin,contract,dashboard,sdk,server,widget}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/*.test.{ts,tsx}', '**/node_modules/**'],
  })
  expect(files.length).toBeGreaterThan(2000)
  const vague = files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.flatMap((line, index) => (DECLARED.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : []))
  })
  expect(vague).toEqual([])
})
