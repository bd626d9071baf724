import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { INBOX_TEXTS } from './screens/inbox/texts.ts'

const root = import.meta.dirname
const FRAME = 'layout/Frame.tsx'

const files = new Map(
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /(?<!\.test)\.tsx?$/.test(name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')]),
)

/** The file of each text and group: `tags.new` is in `tags`. Those in `common` are always loaded. */
const owners = new Map<string, string>()
const english = join(root, '../locales/en/dashboard')
for (const file of readdirSync(english).filter((name) => name !== 'common.json')) {
  const texts = JSON.parse(readFileSync(join(english, file), 'utf8'))
  for (const key of pathsOf(texts)) owners.set(key, basename(file, '.json'))
}

/** The paths of all texts and groups. Plural forms count as one. */
function pathsOf(texts: object, above = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const path = above + key.replace(/_(one|other)$/, '')
    return typeof value === 'object' ? [path, ...pathsOf(value, `${path}.`)] : [path, above + key]
  })
}

/** The texts that a page's code uses, including its lazily loaded parts, unless these load the texts themselves. */
function textsUsedFrom(start: string): Set<string> {
  const reached = new Set<string>()
  const used = new Set<string>()
  const loaded = new Set<string>()
  const visit = (path: string) => {
    const code = files.get(path)
    if (code === undefined || reached.has(path) || path.endsWith('/pages.ts') || path === 'pages.ts') return
    reached.add(path)
    for (const [, key] of code.matchAll(/['"`](\w+(?:\.\w+)+)(?:['"`]|\.\$|_\$)/g))
      if (owners.has(key!)) used.add(owners.get(key!)!)
    for (const [, key] of code.matchAll(/`(\w+)\.\$/g)) if (owners.has(key!)) used.add(owners.get(key!)!)
    for (const [, names] of code.matchAll(/withTexts\(\[([^\]]*)\]/g))
      for (const name of namesIn(names!)) loaded.add(name)
    for (const [, to] of code.matchAll(/(?:^(?:import|export) (?!type )[^;]*?from |import\()'(\.[^']+)'/gms))
      visit(join(dirname(path), to!))
  }
  visit(start)
  return used.difference(loaded)
}

interface Declaration {
  start: string
  alone: boolean
  texts: string[]
}

/** Every page with the file that it loads and the texts that it declares. */
function listDeclarations(): Declaration[] {
  return [...files].flatMap(([path, code]) =>
    [...code.matchAll(/definePage\(\{[\s\S]*?import\('(\.[^']+)'\)/g)].map(([declaration, to]) => ({
      start: join(dirname(path), to!),
      alone: /alone: true/.test(declaration),
      texts: namesIn(/texts: \[([^\]]*)\]/.exec(declaration)?.[1] ?? ''),
    })),
  )
}

function namesIn(list: string): string[] {
  return [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name!)
}

const frame: readonly string[] = INBOX_TEXTS

describe('texts', () => {
  it('are found where they are declared', () => {
    expect(new Set(owners.values()).size).toBeGreaterThan(40)
    expect(listDeclarations().length).toBeGreaterThan(25)
  })

  it('of the frame are loaded with it', () => {
    expect([...textsUsedFrom(FRAME)].filter((texts) => !frame.includes(texts))).toEqual([])
  })

  it('of a page are loaded with it, and no others', () => {
    for (const { start, alone, texts } of listDeclarations()) {
      const needed = [...textsUsedFrom(start)].filter((each) => alone || !frame.includes(each))
      expect({ start, texts: [...new Set(texts)].sort() }).toEqual({ start, texts: needed.sort() })
    }
  })
})
