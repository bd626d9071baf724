import { type ChildProcess, fork } from 'node:child_process'
import type { MovingProgress, MovingReport } from '#contract/operations/moving-in.ts'
import type { ImportNews, ImportOrder } from './protocol.ts'

const PROGRAM = new URL('../../../../bin/transfer/moving-in/import-child.ts', import.meta.url)
/** Less than the 300 MB that an import may need: Node.js itself takes a part. */
const EXEC_ARGV = ['--max-old-space-size=192', '--max-semi-space-size=4']
/** What `pg_restore` needs, and where buckets' keys of the machine are. */
const NEEDED = /^(PATH|HOME|TZ|LANG|AWS_\w+)$/

/** How an import ended: by itself, or by a signal. */
export type ImportEnd = { report: MovingReport } | { failed: string } | { killed: true }

/** An import in a process of its own, so that the server answers meanwhile and a crash ends only the import. */
export class ImportProcess {
  readonly #child: ChildProcess
  readonly ended: Promise<ImportEnd>
  progress: MovingProgress | null = null
  isStopped = false

  /** @param onCommitted called once everything is moved, and only sums and files follow */
  constructor(order: ImportOrder, onCommitted: () => void) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name)))
    this.#child = fork(PROGRAM, [], { env, execArgv: EXEC_ARGV, stdio: 'ignore', serialization: 'advanced' })
    let end: ImportEnd = { killed: true }
    this.#child.on('message', (message) => {
      const news = message as ImportNews
      if ('progress' in news) {
        const isCommitted = news.progress.part === 'counting' && this.progress?.part !== 'counting'
        this.progress = news.progress
        if (isCommitted) onCommitted()
      } else end = news
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', () => resolve(end))
      this.#child.once('error', () => resolve(end))
    })
    // Sending fails if the process has just ended, which `exit` tells.
    this.#child.send(order, () => undefined)
  }

  /** The database takes everything back, unless it is moved already. */
  stop(): void {
    this.isStopped = true
    this.#child.kill('SIGKILL')
  }
}
