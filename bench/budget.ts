import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Bytes, gzip -9: what the project promises. `npm test` fails above them. */
export const LOADER_LIMIT = 6_000
export const WIDGET_LIMIT = 40_000
export const DASHBOARD_LIMIT = 350_000

/** What the first screens weigh, in bytes as they travel. `dist` is what `npm run build` left. */
export function firstScreen(dist: string) {
  const loader = weigh([join(dist, 'widget', 'widget.js')])
  return {
    loader,
    widget: loader + weigh(listFiles(join(dist, 'widget', 'chat')).filter((path) => /\.(html|js|css)$/.test(path))),
    dashboard: weigh(scriptsOfInbox(join(dist, 'dashboard', 'assets'), join(dist, 'dashboard', 'index.html'))),
  }
}

/** The entry, the frame and the inbox page, each with all that they import statically. */
function scriptsOfInbox(assets: string, page: string): string[] {
  const [, entry] = /src="\/assets\/([^"]+\.js)"/.exec(readFileSync(page, 'utf8')) ?? []
  const names = readdirSync(assets).filter((name) => /^(Frame|ConversationsPage)-.*\.js$/.test(name))
  const wanted = new Set<string>()
  const visit = (name: string) => {
    if (wanted.has(name)) return
    wanted.add(name)
    for (const imported of staticImports(readFileSync(join(assets, name), 'utf8'))) visit(imported)
  }
  for (const name of [entry!, ...names]) visit(name)
  return [...wanted].map((name) => join(assets, name))
}

function staticImports(code: string): string[] {
  return [...code.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g)].map(([, name]) => name!)
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function weigh(paths: string[]): number {
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0)
}
