import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { labels } from './labels.ts'

const root = resolve(import.meta.dirname, '..')
const FRAME = 'layout/Frame.tsx'

const files = new Map(
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /(?<!\.test)\.tsx?$/.test(name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')]),
)

/** The feature that owns each text: `tags.new` belongs to `tags`. */
const owners = new Map<string, string>()
/** The features whose texts are loaded under a name: usually one, several for the inbox. */
const declared = new Map<string, string[]>()
for (const [path, code] of files) {
  const feature = featureOf(path)
  if (feature) for (const key of pathsOf((await import(join(root, path))).en)) owners.set(key, feature)
  const name = /export const (\w+Texts) = defineTexts/.exec(code)?.[1]
  const english = join(dirname(path), 'locales/en.ts')
  const parts = [...(files.get(english) ?? '').matchAll(/from '([^']+)'/g)].map(([, to]) => join(dirname(english), to!))
  if (name)
    declared.set(
      name,
      [english, ...parts].flatMap((part) => featureOf(part) ?? []),
    )
}

function featureOf(path: string): string | undefined {
  return /^(?:features\/[^/]+|integrations)\/([^/]+)\/locales\/en\.ts$/.exec(path)?.[1]
}

/** The paths of all texts and groups. Plural forms count as one. */
function pathsOf(texts: object, above = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const path = above + key.replace(/_(one|other)$/, '')
    return typeof value === 'object' ? [path, ...pathsOf(value, `${path}.`)] : [path, above + key]
  })
}

/** The texts that a page's code uses, including its lazily loaded parts. */
function textsUsedFrom(start: string): Set<string> {
  const reached = new Set<string>()
  const found = new Set<string>()
  const visit = (path: string) => {
    const code = files.get(path)
    if (code === undefined || reached.has(path) || path.endsWith('/pages.ts') || path === 'pages.ts') return
    reached.add(path)
    for (const [, key] of code.matchAll(/['"`](\w+(?:\.\w+)+)(?:['"`]|\.\$|_\$)/g))
      if (owners.has(key!)) found.add(owners.get(key!)!)
    for (const [, key] of code.matchAll(/`(\w+)\.\$/g)) if (owners.has(key!)) found.add(owners.get(key!)!)
    for (const [, to] of code.matchAll(/(?:^(?:import|export) (?!type )[^;]*?from |import\()'(\.[^']+)'/gms))
      visit(join(dirname(path), to!))
  }
  visit(start)
  return found
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
      texts: textsIn(declaration),
    })),
  )
}

function textsIn(code: string): string[] {
  return [...code.matchAll(/\w+Texts\b/g)].flatMap(([name]) => declared.get(name) ?? name)
}

const frame = textsIn(/withTexts\(\[[^\]]*\]/.exec(files.get('routes.tsx') ?? '')?.[0] ?? '')

describe('texts', () => {
  it('are found where they are declared', () => {
    expect(owners.size).toBeGreaterThan(40)
    expect(declared.size).toBeGreaterThan(10)
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

  it('label messages in Vietnamese as the specification has it', () => {
    expect(Object.keys(labels.vi)).toEqual(Object.keys(labels.en))
    expect(labels.vi).toMatchObject({ just_now: 'vừa xong', sent: 'Đã gửi {{time}}', seen: 'Đã xem {{time}}' })
  })
})
