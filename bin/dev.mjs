/** `npm run dev`: everything, started or built again on every change. The dashboard's address is the one vite prints. */
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

/** Ctrl-C reaches all of them; when one ends, the others are ended too. */
function startAll(node) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const widget = ['build', '--watch', '--logLevel', 'warn', '--config', 'widget/vite.config.ts', '--mode']
  const commands = [
    ['--watch', '--watch-preserve-output', join(root, 'server', 'main.ts')],
    [vite, '--config', 'dashboard/vite.config.ts'],
    // The widget runs on other people's pages, so it is always served as it is built.
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

/** The server reads `.env` by itself; vite must know its PORT as well. */
function readSettings() {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

/**
 * What was built before has compressed twins, which would be served in the place of what is built now. The folder has to
 * be there when the server starts, and `npm start` has to build again afterwards.
 */
function clearWidget() {
  rmSync(join(root, 'dist', '.built-from'), { force: true })
  rmSync(join(root, 'dist', 'widget'), { recursive: true, force: true })
  mkdirSync(join(root, 'dist', 'widget'), { recursive: true })
}
