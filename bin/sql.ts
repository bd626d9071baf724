import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
import type { Installation } from './installation.ts'

/**
 * `npm run parley -- sql`: a prompt to the installation's database, by psql if that is installed. Ends when its input
 * ends; statements may also be piped in.
 */
export async function promptSql({ connection }: Installation): Promise<void> {
  if (!(await runPsql(connection))) await runOwnPrompt(connection)
}

/** @returns false if there is no psql */
async function runPsql(connection: ConnectionConfig): Promise<boolean> {
  const env = { ...process.env, ...libpqVariables(connection) }
  const child = spawn('psql', ['--set=ON_ERROR_STOP=on'], { stdio: 'inherit', env })
  // Ctrl-C ends a statement in psql, not this command, which has to stop the database afterwards.
  process.removeAllListeners('SIGINT').on('SIGINT', () => undefined)
  return new Promise((resolve, fail) => {
    child.once('exit', (code) => {
      process.exitCode = code ?? 1
      resolve(true)
    })
    child.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(false) : fail(error)))
  })
}

/** In the environment, because everybody on the machine can see the arguments of a process. */
function libpqVariables(connection: ConnectionConfig): NodeJS.ProcessEnv {
  const { host, port, user, database, password } = new pg.Client(connection)
  const options = 'connectionString' in connection ? (connection.connectionString.split('?')[1] ?? '') : ''
  const query = new URLSearchParams(options)
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    PGPASSWORD: password ?? undefined,
    PGSSLMODE: query.get('sslmode') ?? undefined,
    // As the driver, psql should trust the authorities of the system.
    PGSSLROOTCERT: query.get('sslrootcert') ?? (query.has('sslmode') ? 'system' : undefined),
  }
}

async function runOwnPrompt(connection: ConnectionConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const input = createInterface({ input: process.stdin, output: process.stdin.isTTY ? process.stdout : undefined })
  if (process.stdin.isTTY) console.log('End statements with a semicolon. Ctrl-D ends the prompt.')
  input.setPrompt('parley=> ')
  let statement = ''
  if (process.stdin.isTTY) input.prompt()
  for await (const line of input) {
    statement += `${line}\n`
    if (!line.trimEnd().endsWith(';')) continue
    const hasFailed = await execute(client, statement)
    statement = ''
    if (process.stdin.isTTY) input.prompt()
    else if (hasFailed) break
  }
  await client.end()
}

/** @returns whether the statement failed */
async function execute(client: pg.Client, statement: string): Promise<boolean> {
  try {
    const answer = (await client.query(statement)) as pg.QueryResult | pg.QueryResult[]
    for (const { rows, command, rowCount } of [answer].flat()) {
      if (rows.length > 0) console.table(rows)
      else console.log(`${command} ${rowCount ?? ''}`.trim())
    }
    return false
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
    return true
  }
}
