/** `npm start`: installs and builds what is out of date, then runs the server. */
import { spawn } from 'node:child_process'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from './prepare.mjs'
import { findNode, report } from './runtime.mjs'

const main = join(root, 'server', 'main.ts')
// Node's compile cache: the next start takes half the time and some megabytes less.
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

/** Only on the very first start: this Node is too old for the server, but a newer one was just installed. */
function prependToPath(node) {
  const server = spawn(node, [...process.execArgv, main], {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  })
  // Ctrl-C in a terminal also reaches the server directly; receiving it twice does no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
  server.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)))
}

/** npm sends SIGTERM only to the shell between it and us, which ends without passing it on. */
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
