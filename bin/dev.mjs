/** `npm run dev`: everything, started or built again on every change. The dashboard's address is the one vite prints. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { findNode, report } from './runtime.mjs'

try {
  await prepare({ build: false })
  process.chdir(root)
  startAll(findNode())
} catch (error) {
  report(error)
}

/** Ctrl-C reaches all of them; when one ends, the others are ended too. */
function startAll(node) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const commands = [
    ['--watch', '--watch-preserve-output', join(root, 'server', 'main.ts')],
    ...listConfigs('dashboard').map((config) => [vite, '--config', config]),
    // The widget runs on other people's pages, so it is always served as it is built.
    ...listConfigs('widget').map((config) => [vite, 'build', '--watch', '--logLevel', 'warn', '--config', config]),
  ]
  const children = commands.map((args) => spawn(node, args, { stdio: ['ignore', 'inherit', 'inherit'] }))
  const end = () => {
    for (const child of children) child.kill('SIGTERM')
  }
  for (const child of children) child.once('exit', end)
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', end)
}

/** The build settings of a browser part, in its folder or one below. */
function listConfigs(part) {
  const folders = readdirSync(join(root, part), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const places = [part, ...folders.map(({ name }) => join(part, name))]
  return places.map((place) => join(place, 'vite.config.ts')).filter((config) => existsSync(join(root, config)))
}
