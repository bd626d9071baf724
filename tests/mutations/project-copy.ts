import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import pg from 'pg'
import { type Postgres, startPostgres } from '#tests/support/postgres.ts'

/** The result of a run of tests or of the compiler. */
export interface TestOutcome {
  holds: boolean
  /** The failed tests, or the last output. */
  why: string
  files: string[]
}

/**
 * A copy of the project in a folder of its own, with a database server of its own: faults are planted here, so that the
 * project itself is never changed.
 */
export class ProjectCopy {
  readonly #folder: string
  readonly #postgres: Postgres
  #running: ChildProcess | undefined
  #closed = false

  private constructor(folder: string, postgres: Postgres) {
    this.#folder = folder
    this.#postgres = postgres
  }

  static async open(root: string): Promise<ProjectCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-mutations-'))
    try {
      // As root, the tests' database runs under another user, who needs access to its folders.
      await chmod(folder, 0o711)
      await copyProject(root, folder)
      return new ProjectCopy(folder, await startPostgres('loopback'))
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** Runs `work` while a file has other contents, and restores it. */
  async having<T>(file: string, text: string, work: () => Promise<T>): Promise<T> {
    const path = join(this.#folder, file)
    const original = await readFile(path, 'utf8')
    await writeFile(path, text)
    try {
      return await work()
    } finally {
      if (!this.#closed) await writeFile(path, original)
    }
  }

  /** Runs test files, all of them if empty, until the first failure; a timeout counts as one. */
  async test(files: string[], seconds: number): Promise<TestOutcome> {
    const report = join(this.#folder, 'report.json')
    await rm(report, { force: true })
    await this.#dropLeftovers()
    const { host, port, user, password, database } = this.#postgres.address
    const TEST_DATABASE_URL = `postgres://${user}:${encodeURIComponent(password ?? '')}@${host}:${port}/${database}`
    const options = ['run', '--bail', '1', '--reporter', 'json', '--outputFile', report, '--maxWorkers', '2']
    const run = await this.#run('vitest/vitest.mjs', [...options, ...files], seconds, { TEST_DATABASE_URL })
    if (run.holds) return run
    const outcome = await readReport(report, this.#folder)
    return outcome ? { holds: false, ...outcome } : run
  }

  /** Whether the server still compiles. */
  compile(seconds: number): Promise<TestOutcome> {
    return this.#run('typescript/bin/tsc', ['-b', 'server'], seconds)
  }

  async close(): Promise<void> {
    this.#closed = true
    const running = this.#running
    if (running?.pid) {
      const exited = new Promise((resolve) => running.once('close', resolve))
      killGroup(running.pid)
      await exited
    }
    await this.#postgres.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #run(program: string, args: string[], seconds: number, env: NodeJS.ProcessEnv = {}): Promise<TestOutcome> {
    if (this.#closed) return Promise.resolve({ holds: false, why: 'stopped', files: [] })
    const child = spawn(process.execPath, [join(this.#folder, 'node_modules', program), ...args], {
      cwd: this.#folder,
      // Interrupted tests leave temporary files, which are removed with the folder.
      env: { ...process.env, TMPDIR: join(this.#folder, 'tmp'), ...env },
      // A process group of its own, so that it can be killed with its children.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#running = child
    let output = ''
    const keep = (bytes: Buffer) => {
      output = (output + bytes).slice(-20_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      if (child.pid) killGroup(child.pid)
    }, seconds * 1000)
    // Surviving workers would keep its output open.
    child.once('exit', () => child.pid && killGroup(child.pid))
    return new Promise((resolve) => {
      child.once('close', (code) => {
        clearTimeout(late)
        this.#running = undefined
        resolve({ holds: code === 0, why: isLate ? `took longer than ${seconds} s` : findErrorLine(output), files: [] })
      })
    })
  }

  /** Drops databases of interrupted test files. */
  async #dropLeftovers(): Promise<void> {
    const client = new pg.Client({ ...this.#postgres.address, database: 'postgres' })
    await client.connect()
    try {
      const { rows } = await client.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE datname ~ '^test_'",
      )
      for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
    } finally {
      await client.end()
    }
  }
}

/** Copies the files that git tracks or would add; links to installed and built ones. */
async function copyProject(root: string, folder: string): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of listed.split('\n')) {
    // Git lists these where they are symbolic links.
    if (!file || file === 'node_modules' || file === 'dist') continue
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await cp(join(root, file), join(folder, file))
  }
  // One link per entry, so that caches of tools inside node_modules stay in the copy.
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (!name.startsWith('.') || name === '.bin')
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await symlink(join(root, 'dist'), join(folder, 'dist'))
  await mkdir(join(folder, 'tmp'))
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The first line with an error, else the last line. */
function findErrorLine(output: string): string {
  const lines = stripVTControlCharacters(output).trim().split('\n')
  return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 200)
}

interface Report {
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
  }[]
}

async function readReport(path: string, folder: string): Promise<Pick<TestOutcome, 'why' | 'files'> | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (!text) return undefined
  const failed = (JSON.parse(text) as Report).testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.replace(`${folder}/`, '')
    const tests = assertionResults.filter(({ status }) => status === 'failed')
    if (tests.length > 0)
      return tests.map(({ fullName, failureMessages = [] }) => ({
        file,
        why: `${file}: ${fullName} (${firstLine(failureMessages.join())})`,
      }))
    return message ? [{ file, why: `${file}: ${firstLine(message)}` }] : []
  })
  if (failed.length === 0) return undefined
  return { why: failed[0]?.why ?? '', files: [...new Set(failed.map(({ file }) => file))] }
}

function firstLine(text: string): string {
  return stripVTControlCharacters(text.split('\n')[0] ?? '').slice(0, 160)
}
