import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import vite from '../dashboard/vite.config.ts'

const root = resolve(import.meta.dirname, '..')

interface Arrow {
  from: string
  to: string
  isType: boolean
  /** By `import()`, when it is needed. */
  isLazy: boolean
}

/** Every import between our own files, by path from the root. Tests are left out: they may import everything. */
function readArrows(): Arrow[] {
  const files = ['contract', 'server', 'dashboard', 'widget'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test|\.d)\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  return files.flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    const imports = [...code.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)'/gms)]
    const lazy = [...code.matchAll(/(?<!typeof )import\('([^']+)'\)/g)].map(([, to]) => ['lazy', 'type ', to] as const)
    return [...imports, ...lazy].flatMap(([kind, isType, to]) => {
      const target = to?.startsWith('#')
        ? join(root, to.slice(1))
        : to?.startsWith('.')
          ? resolve(dirname(file), to)
          : undefined
      return target
        ? [{ from: relative(root, file), to: relative(root, target), isType: !!isType, isLazy: kind === 'lazy' }]
        : []
    })
  })
}

const arrows = readArrows()
const forbidden = (from: RegExp, to: RegExp) =>
  arrows.filter((arrow) => from.test(arrow.from) && to.test(arrow.to)).map((arrow) => `${arrow.from} → ${arrow.to}`)

test('imports are found', () => {
  expect(arrows.length).toBeGreaterThan(300)
  expect(forbidden(/^server\/app\.ts$/, /^server\/features\//).length).toBeGreaterThan(5)
})

test('the contract imports nothing of ours', () => {
  expect(forbidden(/^contract\//, /^(?!contract\/)/)).toEqual([])
})

test('the platform imports no feature, and of the contract only how calls are declared', () => {
  expect(
    forbidden(/^server\/platform\//, /^server\/(features|integrations|app|start|main|context|feature|authentication)/),
  ).toEqual([])
  expect(forbidden(/^server\/platform\//, /^contract\/(?!endpoint\.ts)/)).toEqual([])
})

test('features import neither the list of features, nor integrations, nor the process', () => {
  expect(forbidden(/^server\/features\//, /^server\/((app|start|main|authentication)\.ts$|integrations\/)/)).toEqual([])
})

test('routes contain no SQL', () => {
  const routes = globSync('server/{features/*,integrations}/*/*routes.ts', { cwd: root })
  const sql = /\bsql[`<]|\.(selectFrom|insertInto|updateTable|deleteFrom|where|execute\w*)\(/
  expect(routes.length).toBeGreaterThan(20)
  expect(routes.filter((file) => sql.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('JSON for the database is written by one function, which leaves out what the database refuses', () => {
  const files = globSync('{server,bin}/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const other = /JSON\.stringify\([^`]*?\)\}::jsonb?/
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => other.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('the ui folder imports nothing about the business', () => {
  expect(
    forbidden(/^dashboard\/ui\//, /^(contract\/(?!text\/first-grapheme)|dashboard\/(?!ui\/|platform\/storage))/),
  ).toEqual([])
})

test('the dashboard’s platform imports no feature, and features import neither screens nor the frame', () => {
  expect(forbidden(/^dashboard\/platform\//, /^dashboard\/(?!platform\/|ui\/)/)).toEqual([])
  expect(
    forbidden(/^dashboard\/(features|integrations)\//, /^dashboard\/(?!features\/|integrations\/|platform\/|ui\/)/),
  ).toEqual([])
  expect(forbidden(/^dashboard\/screens\//, /^dashboard\/(layout\/|[^/]+$)/)).toEqual([])
  expect(forbidden(/^dashboard\/layout\//, /^dashboard\/screens\//)).toEqual([])
})

test('components do not call the server: queries and mutations are in files of their own', () => {
  expect(arrows.some(({ to }) => to === 'dashboard/platform/http/api.ts')).toBe(true)
  expect(forbidden(/^dashboard\/.*\.tsx$/, /^dashboard\/platform\/http\/api\.ts$/)).toEqual([])
})

/** Forms before signing in and in frames of their own, and toys: nobody loses work there. */
const WITHOUT_GUARD =
  /features\/\w+\/(auth-sessions|bot-demo)\/|CardPage\.tsx$|help\/answers\/TryOut\.tsx$|ui\/EditBlock\.tsx$/

test('every form asks before unsaved text is lost', () => {
  const forms = globSync('dashboard/**/*.tsx', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/<form\b[^>]*>/g)].map(([tag]) => ({ file, tag })),
  )
  expect(forms.length).toBeGreaterThan(15)
  expect(forms.filter(({ file, tag }) => !WITHOUT_GUARD.test(file) && !/ref=\{/.test(tag))).toEqual([])
})

test('only dashboard/ui imports the libraries of controls and of long lists', () => {
  const users = ['dashboard', 'widget', 'server', 'contract'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) =>
        /['"](react-aria|react-stately|@react-aria|@internationalized|virtua)\b/.test(readFileSync(file, 'utf8')),
      )
      .map((file) => relative(root, file)),
  )
  expect(users.filter((file) => file.startsWith('dashboard/ui/')).length).toBeGreaterThan(5)
  expect(users.filter((file) => !/^dashboard\/(ui\/|vite\.config\.ts$)/.test(file))).toEqual([])
})

test('the browser parts share nothing but the contract', () => {
  expect(forbidden(/^dashboard\//, /^(server|widget)\//)).toEqual([])
  expect(forbidden(/^widget\//, /^(server|dashboard)\//)).toEqual([])
  expect(forbidden(/^server\//, /^(dashboard|widget)\//)).toEqual([])
})

test('in development no file of the dashboard is mistaken for a path of the server', () => {
  const prefixes = Object.keys(vite.server?.proxy ?? {})
  const files = readdirSync(join(root, 'dashboard'), { recursive: true }).map((file) => `/${file}`)
  expect(prefixes.length).toBeGreaterThan(3)
  expect(files.filter((file) => prefixes.some((prefix) => file.startsWith(prefix)))).toEqual([])
})

test('the loader imports only types from the contract, which add no bytes', () => {
  const values = arrows.filter(
    ({ from, to, isType }) => /^widget\/loader\//.test(from) && /^contract\//.test(to) && !isType,
  )
  expect(values).toEqual([])
})

test('no files import each other in a circle', () => {
  const next = new Map<string, string[]>()
  for (const { from, to, isType } of arrows) if (!isType) next.set(from, [...(next.get(from) ?? []), to])
  expect(findCycle(next)).toBeUndefined()
})

test.each([
  ['server features', /^server\/features\/[^/]+\/([^/]+)\//],
  ['features of the dashboard', /^dashboard\/features\/[^/]+\/([^/]+)\//],
  ['screens of the dashboard', /^dashboard\/screens\/([^/]+)\//],
])('%s import each other in one direction', (_name, folder) => {
  const next = new Map<string, string[]>()
  for (const { from, to } of arrows) {
    const [, importer] = folder.exec(from) ?? []
    const [, importee] = folder.exec(to) ?? []
    if (importer && importee && importer !== importee) next.set(importer, [...(next.get(importer) ?? []), importee])
  }
  expect(next.size).toBeGreaterThan(1)
  expect(findCycle(next)).toBeUndefined()
})

test('libraries that work on whole foreign files are loaded by worker processes only', () => {
  const next = Map.groupBy(
    arrows.filter(({ isType, isLazy }) => !isType || isLazy),
    ({ from }) => from,
  )
  const loaded = new Set(['server/main.ts'])
  for (const file of loaded) for (const { to } of next.get(file) ?? []) loaded.add(to)
  const libraries =
    /^import (?!type).*?['"](iconv-lite|mailauth|html-to-text|htmlparser2|sanitize-html|liquidjs|yauzl|sharp)['"]|import\(['"](iconv-lite|mailauth|html-to-text|htmlparser2|sanitize-html|liquidjs|yauzl|sharp)['"]\)/m
  const users = globSync('server/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).filter((file) =>
    libraries.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(loaded.size).toBeGreaterThan(300)
  expect(users.length).toBeGreaterThan(6)
  expect(users.filter((file) => loaded.has(file))).toEqual([])
})

/** An import cycle, if there is one. */
function findCycle(next: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>()
  function visit(file: string, path: string[]): string[] | undefined {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const to of next.get(file) ?? []) {
      const cycle = visit(to, [...path, file])
      if (cycle) return cycle
    }
    done.add(file)
    return undefined
  }
  for (const file of next.keys()) {
    const cycle = visit(file, [])
    if (cycle) return cycle
  }
  return undefined
}

test('a test file never changes the settings of the shared server', () => {
  // They share a process, so a module mocked in one file would stay mocked in the next.
  const files = globSync(['server/**/*.test.ts', 'tests/**/*.test.ts', 'contract/**/*.test.ts'], { cwd: root })
  const overriding = files.filter((file) =>
    /^test\.override\(|\.override\('/m.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(overriding.filter((file) => !file.endsWith('architecture.test.ts'))).toEqual([])
})
