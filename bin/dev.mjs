/**
 * `npm run dev`: runs everything, restarting and rebuilding on every change. The dashboard's address is the one that
 * vite prints.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { findNode, report } from './runtime.mjs'

try {
  await prepare({ build: false })
  process.chdir(root)
  readSettings()
  clearWidget()
  startAll(findNode())
} catch (error) {
  report(error)
}

/** Ctrl-C reaches all of them; when one ends, the others are stopped too. */
function startAll(node) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const widget = ['build', '--watch', '--logLevel', 'warn', '--config', 'widget/vite.config.ts', '--mode']
  const commands = [
    ['--watch', '--watch-preserve-output', join(root, 'server', 'main.ts')],
    [vite, '--config', 'dashboard/vite.config.ts'],
    // The widget runs on other people's pages, so its built form is served in development, too.
    [vite, ...widget, 'loader'],
    [vite, ...widget, 'window'],
  ]
  const children = commands.map((args) => spawn(node, args, { stdio: ['ignore', 'inherit', 'inherit'] }))
  const end = () => {
    for (const child of children) child.kill('SIGTERM')
  }
  for (const child of children) child.once('exit', end)
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', end)
}

/** The server reads `.env` by itself; vite needs its PORT as well. */
function readSettings() {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

/**
 * The server would prefer the compressed copies of an earlier build to the new files. The folder has to exist when the
 * server starts, and `npm start` has to build again afterwards.
 */
function clearWidget() {
  rmSync(join(root, 'dist', '.built-from'), { force: true })
  rmSync(join(root, 'dist', 'widget'), { recursive: true, force: true })
  mkdirSync(join(root, 'dist', 'widget'), { recursive: true })
}
