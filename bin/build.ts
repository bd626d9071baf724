/**
 * `npm run build`: builds dashboard, widget and the page of the API into a new folder, whose contents then replace those of
 * `dist`. A server that runs from this folder has something to serve all the time.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { copyApiDocs } from './api-docs.ts'
import { compressFiles } from './compress.ts'
import { replaceFolders } from './replace-folders.ts'

const root = resolve(import.meta.dirname, '..')
const dist = resolve(root, 'dist')
const next = resolve(dist, '.next')

const PARTS = [
  { config: 'dashboard/vite.config.ts', folder: 'dashboard' },
  { config: 'dashboard/service-worker/vite.config.ts', folder: 'dashboard' },
  { config: 'dashboard/replay-box/vite.config.ts', folder: 'replay-box' },
  { config: 'widget/vite.config.ts', mode: 'loader', folder: 'widget' },
  { config: 'widget/vite.config.ts', mode: 'storytime', folder: 'widget' },
  { config: 'widget/vite.config.ts', mode: 'recording', folder: 'widget' },
  { config: 'widget/vite.config.ts', mode: 'window', folder: 'widget/chat' },
]

rmSync(next, { recursive: true, force: true })
for (const { config, mode = 'production', folder } of PARTS) {
  const vite = resolve(root, 'node_modules/vite/bin/vite.js')
  const args = ['build', '--logLevel', 'warn', '--config', config, '--mode', mode, '--outDir', resolve(next, folder)]
  // A process for each, because none returns the memory that it took.
  const { status } = spawnSync(process.execPath, [vite, ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
copyApiDocs(next)
compressFiles(next)
replaceFolders(next, dist)
