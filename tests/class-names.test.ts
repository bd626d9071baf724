import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** The sources of a folder by path from the project's root, without tests. */
function sourcesOf(folder: string): Map<string, string> {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /(?<!\.test)\.(tsx?|css|html)$/.test(name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'))
  return new Map(files.map((path) => [relative(root, path), readFileSync(path, 'utf8')]))
}

/** The class names in the selectors of a style sheet. */
function stylesIn(css: string): Set<string> {
  const plain = css
    .replace(/\$\{[^}]*\}/g, '')
    // Classes of libraries.
    .replace(/:global\([^)]*\)/g, '')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/"[^"]*"|url\([^)]*\)/g, '')
  const selectors = [...plain.matchAll(/([^{};]+)\{/g)].map(([, before]) => before!.trim())
  const names = selectors
    .filter((selector) => !selector.startsWith('@'))
    .flatMap((selector) => [...selector.matchAll(/\.([a-z_][\w-]*)/gi)].map(([, name]) => name!))
  return new Set(names)
}

/** The code between a brace at `start` and the one that closes it. */
function insideBraces(code: string, start: number): string {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    if (code[at] === '{') depth++
    if (code[at] === '}' && --depth === 0) return code.slice(start + 1, at)
  }
  return ''
}

/** The texts in an expression, without those it compares with. */
function textsIn(expression: string): string[] {
  const written = expression.replace(/[!=]==\s*'[^']*'/g, '')
  return [...written.matchAll(/'([^']*)'|"([^"]*)"|`([^`]*)`/g)].map(([, ...texts]) =>
    texts.join('').replace(/\$\{[^}]*\}/g, ' '),
  )
}

/** The class names that markup and scripts write as text. */
function namesIn(code: string): Set<string> {
  const quoted = [...code.matchAll(/\bclass(?:Name)?="([^"]*)"/g)].map(([, names]) => names!)
  const computed = [...code.matchAll(/\bclass(?:Name)?=\{/g)].flatMap(({ 0: { length }, index }) =>
    textsIn(insideBraces(code, index + length - 1)),
  )
  const scripted = [...code.matchAll(/\bclassName(?:: | = )('[^']*')|classList\.\w+\(([^)]*)\)/g)].flatMap(
    ([, ...texts]) => textsIn(texts.join('')),
  )
  return new Set([...quoted, ...computed, ...scripted].flatMap((names) => names.split(/\s+/).filter(Boolean)))
}

/** The data attributes that markup and scripts set; those in brackets are only looked for. */
function attributesIn(code: string): Set<string> {
  const written = [...code.matchAll(/(?<!\[)\bdata-[\w-]+/g)].map(([name]) => name)
  const scripted = [...code.matchAll(/\bdataset\.(\w+)/g)].map(
    ([, name]) => `data-${name!.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  )
  return new Set([...written, ...scripted])
}

const without = (names: Set<string>, others: Set<string>) => [...names].filter((name) => !others.has(name)).sort()
const union = (sets: Set<string>[]) => new Set(sets.flatMap((set) => [...set]))
const dashboard = sourcesOf('dashboard')

/** Attributes that the control library sets on its elements. */
const ARIA = new Set(['data-exiting', 'data-focus-visible', 'data-focused', 'data-hovered', 'data-selected'])

describe('in the dashboard', () => {
  /** Class names by module, as its importers use them. */
  const used = new Map<string, Set<string>>()
  const computed: string[] = []
  for (const [path, code] of dashboard) {
    for (const [, name, to] of code.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)) {
      const module = join(dirname(path), to!)
      const names = [...code.matchAll(new RegExp(`(?<!['"\`])\\b${name}\\.(\\w+)`, 'g'))].map(
        ([, property]) => property!,
      )
      used.set(module, new Set([...(used.get(module) ?? []), ...names]))
      if (new RegExp(`\\b${name}\\[`).test(code)) computed.push(path)
    }
  }
  const modules = [...dashboard].filter(([path]) => path.endsWith('.module.css'))

  test('each class of a module is named where it is used, so that it can be compared', () => {
    expect(modules.length).toBeGreaterThan(100)
    expect(computed).toEqual([])
  })

  test('each class name that is used has a style, and each style is used', () => {
    const differences = modules.flatMap(([path, css]) => {
      const styles = stylesIn(css)
      const names = used.get(path) ?? new Set()
      return [
        ...without(names, styles).map((name) => `${path}: .${name} is used, but has no style`),
        ...without(styles, names).map((name) => `${path}: .${name} is not used`),
      ]
    })
    expect(differences).toEqual([])
  })

  test('each attribute in a selector is set where the style is used, or by the control library', () => {
    const code = [...dashboard].filter(([path]) => !path.endsWith('.css')).map(([, text]) => text)
    const set = union(code.map(attributesIn))
    const unset = [...dashboard]
      .filter(([path]) => path.endsWith('.css'))
      .flatMap(([path, css]) =>
        [...css.matchAll(/\[(data-[\w-]+)/g)]
          .map(([, name]) => name!)
          .filter((name) => !set.has(name) && !ARIA.has(name))
          .map((name) => `${path}: [${name}] is never set`),
      )
    expect(unset).toEqual([])
  })
})

interface App {
  app: string
  sources: Map<string, string>
  /** Finds the style sheet in a script. */
  style?: RegExp
  /** Names that need no style here. */
  others?: string[]
}

/** Style sheets and the code that uses them, of each app with names of its own. */
const APPS: App[] = [
  { app: 'the chat', sources: sourcesOf('widget/window'), others: ['for-handlers', 'for-ears', 'sign-place'] },
  { app: 'the button of the chat', sources: sourcesOf('widget/loader'), style: /const STYLE = `([^`]*)`/ },
  { app: 'the recorder', sources: sourcesOf('widget/recorder') },
  {
    app: 'the React component',
    sources: sourcesOf('widget/react'),
    // Published names, for the style sheets of websites.
    others: ['Papercups-chatWindowContainer', 'Papercups-toggleButtonContainer'],
  },
  { app: 'the demo shop', sources: sourcesOf('widget/demo-site') },
  {
    app: 'the global styles of the dashboard',
    sources: new Map([...dashboard].filter(([path]) => !/\.module\.css$|\/replay-box\//.test(path))),
  },
  { app: 'the replay', sources: sourcesOf('dashboard/replay-box'), style: /= `(\s*:host[^`]*)`/ },
]

test.for(APPS)('each class name in $app has a style, and each style is used', ({ sources, style, others = [] }) => {
  const code = [...sources].filter(([path]) => !path.endsWith('.css')).map(([, text]) => text)
  const sheets = [...sources].filter(([path]) => path.endsWith('.css')).map(([, text]) => text)
  const scripted = style ? code.flatMap((text) => style.exec(text)?.[1] ?? []) : []
  const styles = union([...sheets, ...scripted].map(stylesIn))
  const names = union(code.map(namesIn))
  const withOthers = (list: Set<string>) => new Set([...list, ...others])
  expect({
    'without a style': without(names, withOthers(styles)),
    'not used': without(styles, withOthers(names)),
  }).toEqual({
    'without a style': [],
    'not used': [],
  })
})
