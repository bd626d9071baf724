import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { OperatorError } from '../../operator-error.ts'
import { explainStartError } from './cluster.ts'
import type { Engine } from './engine.ts'
import { processesIn, sendSignal } from './leftovers.ts'
import type { Owner } from './ownership.ts'
import { run } from './run.ts'

/** What is needed to start a postmaster; the same for every restart. */
export interface Plan {
  engine: Engine
  cluster: string
  args: string[]
  owner?: Owner
  log: Log
}

/** A running database server. */
export interface Postmaster {
  pid: number
  /** Resolves when it has exited, with its last fatal log line or its exit code. */
  exited: Promise<string>
  stop(): Promise<void>
}

const START_TIMEOUT = 120_000
/** After this many milliseconds an immediate shutdown, from which the next start recovers; then SIGKILL, for one that hangs. */
const FAST_STOP = 6_000
const STOP_TIMEOUT = 8_000
const STEP = 15

/** Starts the postmaster and resolves once it takes connections (after a crash that includes recovery). */
export async function startPostmaster(plan: Plan): Promise<Postmaster> {
  // Detached: Ctrl-C goes to everything in the terminal, and the database must outlive our open requests.
  const child = run(plan.engine.postgres, plan.args, plan.owner, { cwd: plan.cluster, detached: true })
  stopWithServer(child, plan)
  const fatal = listen(child, plan.log)
  const exited = new Promise<string>((done, fail) => {
    child.once('error', (error) => fail(explainStartError(error)))
    child.once('exit', (code, signal) => done(fatal.last || `exit ${signal ?? code}`))
  })
  const ready = await Promise.race([exited.then((last) => ({ last })), untilReady(plan.cluster, child)])
  if (ready) throw new OperatorError(`PostgreSQL did not start in ${plan.cluster}: ${ready.last}`)
  return { pid: child.pid ?? 0, exited, stop: () => stopPostmaster(plan, child, exited) }
}

/** If this process ends without stop(), it stops the database too: even when killed, except on Windows. */
function stopWithServer(child: ChildProcess, { owner }: Plan) {
  const stopChild = () => child.kill('SIGINT')
  process.once('exit', stopChild)
  child.once('exit', () => process.off('exit', stopChild))
  if (process.platform === 'win32' || !child.pid) return
  // Its input is closed when this process ends for whatever reason.
  const watch = run('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'sh', String(child.pid)], owner, {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.once('error', () => undefined)
  watch.unref()
  child.once('exit', () => watch.kill('SIGKILL'))
}

/** Forwards its log: fatal lines as warnings, the rest (including ended sessions) at debug level. */
function listen(child: ChildProcess, log: Log): { last: string } {
  const fatal = { last: '' }
  if (!child.stderr) return fatal
  createInterface({ input: child.stderr }).on('line', (line) => {
    const serious = /^(FATAL|PANIC):(?! +terminating connection)/.test(line)
    if (serious) fatal.last = line
    log[serious ? 'warn' : 'debug'](`database: ${line}`)
  })
  return fatal
}

/** The postmaster writes `ready` into the eighth line of its pid file; pg_ctl waits for the same. */
async function untilReady(cluster: string, child: ChildProcess): Promise<undefined> {
  for (let waited = 0; waited < START_TIMEOUT; waited += STEP) {
    const lines = (await readFile(resolve(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return
    await sleep(STEP)
  }
  throw new OperatorError(`PostgreSQL in ${cluster} was not ready after ${START_TIMEOUT / 1000} seconds.`)
}

/** Fast shutdown: sessions end, everything is written, the next start needs no recovery. */
async function stopPostmaster(plan: Plan, child: ChildProcess, exited: Promise<string>): Promise<void> {
  if (process.platform === 'win32') {
    run(plan.engine.pgCtl, ['stop', '-D', plan.cluster, '-m', 'fast'], plan.owner, { cwd: plan.cluster })
  } else {
    child.kill('SIGINT')
  }
  const hurry = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP)
  let forced: Promise<void> | undefined
  const force = setTimeout(() => {
    forced = killAll(plan, child)
  }, STOP_TIMEOUT)
  await exited
  clearTimeout(hurry)
  clearTimeout(force)
  await forced
}

/** Hung sessions outlive their postmaster, so they are killed first and waited for. */
async function killAll({ cluster }: Plan, child: ChildProcess): Promise<void> {
  for (const pid of await processesIn(cluster)) sendSignal(pid, 'SIGKILL')
  child.kill('SIGKILL')
  for (let waited = 0; waited < FAST_STOP && (await processesIn(cluster)).length > 0; waited += STEP) await sleep(STEP)
}
