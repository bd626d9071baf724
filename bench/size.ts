import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DASHBOARD_FILES, DASHBOARD_LIMIT, firstScreen, LOADER_LIMIT, lazyParts, WIDGET_LIMIT } from './budget.ts'
import { header, report } from './figures.ts'

/** `npm run bench:size`: bytes on the wire, gzip -9. */
const dist = resolve(import.meta.dirname, '..', 'dist')
if (!existsSync(dist)) throw new Error('Run `npm run build` first.')

header('Size')
const { loader, widget, dashboard, dashboard_files } = firstScreen(dist)
report('widget, script with settings, before any click', inBytes(loader, LOADER_LIMIT))
report('widget, all that opening the chat brings', inBytes(widget, WIDGET_LIMIT))
report('dashboard, script of the inbox’s first screen', inBytes(dashboard, DASHBOARD_LIMIT))
report('  in files', `${dashboard_files} of ${DASHBOARD_FILES}`)
console.log('\nparts of the chat that come when they are wanted')
for (const { name, size } of lazyParts(dist)) report(`  ${name}`, kb(size))
console.log('\nlargest files of the dashboard')
const assets = join(dist, 'dashboard', 'assets')
const sizes = readdirSync(assets)
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ name, size: gzipSync(readFileSync(join(assets, name)), { level: 9 }).length }))
for (const { name, size } of sizes.sort((a, b) => b.size - a.size).slice(0, 8)) report(`  ${name}`, kb(size))

/** Exactly, because a limit may be missed by a few bytes. */
function inBytes(bytes: number, limit: number): string {
  return `${bytes.toLocaleString('en')} of ${limit.toLocaleString('en')} bytes`
}

function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
