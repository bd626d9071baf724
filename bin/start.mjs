/** `npm start`: installs and builds when something is stale, then is the server. */
import { spawn } from 'node:child_process'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from './prepare.mjs'
import { findNode, report } from './runtime.mjs'

const main = join(root, 'server', 'main.ts')
// Node keeps what it compiled: the next start takes half the time and some megabytes less.
const compiled = join(root, '.cache', 'compiled')

try {
  await prepare({ build: true })
  process.chdir(root)
  const node = findNode()
  stopWithNpm()
  if (node !== process.execPath) prependToPath(node)
  else {
    nodeModule.enableCompileCache?.(compiled)
    await import(pathToFileURL(main).href)
  }
} catch (error) {
  report(error)
}

/** Only on the very first start: this Node is too old for the server, the one that was just installed is not. */
function prependToPath(node) {
  const server = spawn(node, [...process.execArgv, main], {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  })
  // Ctrl-C in a terminal reaches the server by itself as well; hearing it twice does no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
  server.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)))
}

/** npm passes SIGTERM to the shell between it and us, which dies of it and tells nobody. */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}
