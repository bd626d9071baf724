/** `npm start`: installs and builds what is out of date, then runs the server. */
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { prepare, root, Stamp } from './prepare.mjs'
import { findNode, report } from './runtime.mjs'

const program = pathToFileURL(join(root, 'server', 'run.ts')).href
// Node's compile cache: with it a start takes half the time and 20 MB less.
const compiled = join(root, '.cache', 'compiled')

try {
  stopWithNpm()
  await prepare({ build: true })
  process.chdir(root)
  const node = findNode()
  await compile(node)
  if (node !== process.execPath) startAgain(node)
  else {
    nodeModule.enableCompileCache?.(compiled)
    const { run } = await import(program)
    await run()
  }
} catch (error) {
  report(error)
}

/**
 * Fills the compile cache, if the server has changed, in a process of its own: what compiling TypeScript takes stays in
 * memory until the end.
 */
async function compile(node) {
  const stamp = new Stamp(join(compiled, '.compiled-from'), ['contract', 'server'])
  if (stamp.isCurrent()) return
  try {
    mkdirSync(compiled, { recursive: true })
    accessSync(compiled, constants.W_OK)
  } catch {
    // The folder belongs to another user. The server works without the cache, too.
    return
  }
  const source = stamp.fingerprint()
  const args = [...process.execArgv, '--input-type=module', '--eval', `await import(${JSON.stringify(program)})`]
  const child = spawn(node, args, { stdio: 'ignore', env: { ...process.env, NODE_COMPILE_CACHE: compiled } })
  await new Promise((settle) => child.once('error', settle).once('exit', settle))
  stamp.write(source)
}

/** Only on the very first start: this Node is too old for the server, but a newer one was just installed. */
function startAgain(node) {
  const server = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url)], { stdio: 'inherit' })
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
