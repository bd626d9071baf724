import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FoundWidget } from '#server/features/widget/widgets/finding.ts'
import { prependSettings } from '#server/features/widget/widgets/script.ts'

/** Limits in bytes, gzip -9. `npm test` fails above them. */
export const LOADER_LIMIT = 6_000
/** What every page of a website with live sessions loads while nobody watches. */
export const STORYTIME_LIMIT = 3_000
export const WIDGET_LIMIT = 40_000
export const DASHBOARD_LIMIT = 250_000
/** Maximum number of scripts of the first screen; each costs a request, and a browser makes six at a time. */
export const DASHBOARD_FILES = 12

/** An inbox with customised texts. */
const ORDINARY = {
  settings: {
    color: '#2f5d46',
    name: 'Lumen & Oak',
    title: 'Welcome to Lumen & Oak',
    subtitle: 'Ask us anything about lamps',
    greeting: 'Hi! How can we help you today?',
    show_agent_availability: true,
    agent_available_text: 'We are online!',
    agent_unavailable_text: 'We are currently unavailable.',
    icon_variant: 'outlined',
    is_open_by_default: false,
  },
  account: { company_name: 'Lumen & Oak', subscription_plan: 'team', is_outside_working_hours: false },
} as FoundWidget

/** Compressed size of the first screens in bytes. `dist` is the output of `npm run build`. */
export function firstScreen(dist: string) {
  const script = readFileSync(join(dist, 'widget', 'widget.js'), 'utf8')
  const loader = gzipSync(prependSettings(ORDINARY, script), { level: 9 }).length
  const inbox = scriptsOfInbox(join(dist, 'dashboard', 'assets'), join(dist, 'dashboard', 'index.html'))
  return {
    /** As sent to a website: with the inbox's settings in front. */
    loader,
    storytime: sumSizes([join(dist, 'widget', 'storytime.js')]),
    widget: loader + sumSizes(filesOfOpenChat(join(dist, 'widget', 'chat'))),
    dashboard: sumSizes(inbox),
    dashboard_files: inbox.length,
  }
}

/** What opening the chat loads, in the largest language: the page, the files it names, and all their imports. */
function filesOfOpenChat(chat: string): string[] {
  const page = join(chat, 'index.html')
  const named = [...readFileSync(page, 'utf8').matchAll(/(?:src|href)="\/chat\/assets\/([^"]+\.(?:js|css))"/g)]
  const assets = join(chat, 'assets')
  const languages = readdirSync(assets)
    .filter((name) => /^words-.*\.js$/.test(name))
    .sort((a, b) => sumSizes([join(assets, b)]) - sumSizes([join(assets, a)]))
  return [page, ...withImports(assets, [...named.map(([, name]) => name!), ...languages.slice(0, 1)])]
}

/** Lazily loaded parts of the chat, with their sizes. */
export function lazyParts(dist: string): { name: string; size: number }[] {
  const chat = join(dist, 'widget', 'chat')
  const opened = filesOfOpenChat(chat)
  return listFiles(join(chat, 'assets'))
    .filter((path) => /\.(js|css)$/.test(path) && !opened.includes(path))
    .map((path) => ({ name: basename(path), size: sumSizes([path]) }))
    .sort((a, b) => b.size - a.size)
}

/** The entry and the inbox, with all static imports, and their English texts. */
function scriptsOfInbox(assets: string, page: string): string[] {
  const entries = [...readFileSync(page, 'utf8').matchAll(/src="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!)
  // The inbox and its English texts, as the build's groups name them, with a hash.
  const names = readdirSync(assets).filter((name) => /^inbox(-en)?-.{8}\.js$/.test(name))
  if (names.length !== 2)
    throw new Error(`Expected the inbox and its texts among the built files, not: ${names.join(', ')}.`)
  return withImports(assets, [...entries, ...names])
}

/** Built files of the dashboard in import cycles, where the order of execution is undefined. */
export function filesInRings(dist: string): string[] {
  const assets = join(dist, 'dashboard', 'assets')
  return readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .filter((name) => {
      const imported = staticImports(readFileSync(join(assets, name), 'utf8'))
      return withImports(assets, imported).includes(join(assets, name))
    })
}

/** Files with all their static imports, by path. */
function withImports(assets: string, names: string[]): string[] {
  const files = new Set<string>()
  const visit = (name: string) => {
    if (files.has(name)) return
    files.add(name)
    for (const imported of staticImports(readFileSync(join(assets, name), 'utf8'))) visit(imported)
  }
  for (const name of names) visit(name)
  return [...files].map((name) => join(assets, name))
}

function staticImports(code: string): string[] {
  return [...code.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g)].map(([, name]) => name!)
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function sumSizes(paths: string[]): number {
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0)
}
