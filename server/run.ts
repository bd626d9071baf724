import pino from 'pino'
import { loadEnvFile, readConfig } from './config.ts'
import { resolveDataFolder } from './data-folder.ts'
import { messageOf } from './errors.ts'
import { hasAccounts } from './features/accounts/accounts/accounts.ts'
import {
  assertEmbedded,
  readInstallationFile,
  warnOfUnusedDatabase,
  writeInstallationFile,
} from './installation-file.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from './platform/db/embedded.ts'
import { adviceForOperator } from './platform/db/problems.ts'
import { createLog } from './platform/log.ts'
import { OperatorError } from './platform/operator-error.ts'
import { collectStartGarbage } from './platform/start-garbage.ts'
import { type Server, startServer } from './start.ts'

/**
 * Starts Parley from the environment and runs until it is stopped. If it cannot start, it says why and ends the process.
 */
export async function run() {
  try {
    await start()
  } catch (error) {
    const sentence = error instanceof OperatorError ? error.message : adviceForOperator(error)
    console.error(sentence ? `\n${sentence}\n` : error instanceof Error ? error.stack : messageOf(error))
    process.exit(1)
  }
}

async function start() {
  if (Number(process.versions.node.split('.', 1)[0]) < 24) {
    throw new OperatorError(
      `Parley needs Node.js 24 or newer; this is ${process.version}. Start it with \`npm start\`.`,
    )
  }
  loadEnvFile()
  const envConfig = readConfig(process.env)
  // Written synchronously, so that no line is lost when the process ends, and the address is printed last.
  const log = createLog(envConfig.logLevel, await logDestination())
  const config = await resolveDataFolder(envConfig, log)
  if (config.databaseUrl) await warnOfUnusedDatabase(config, log)
  else assertEmbedded(config.dataDir, await readInstallationFile(config.dataDir))
  let server: Server | undefined
  let embedded: EmbeddedDatabase | undefined
  let stopping: Promise<void> | undefined

  async function stop() {
    // A second Ctrl-C must not leave the database running, so there is no short cut here.
    try {
      await server?.stop({ noticeMs: config.redisUrl ? NOTICE_MS : 0 })
    } finally {
      await embedded?.stop()
    }
  }
  async function leave(code: number) {
    setTimeout(() => process.exit(code || 1), GRACE_MS).unref()
    stopping ??= stop().catch((error) => log.error({ err: error }, 'Stopping the server failed'))
    await stopping
    process.exit(code)
  }
  process.on('SIGINT', () => void leave(0))
  process.on('SIGTERM', () => void leave(0))

  try {
    if (!config.databaseUrl) {
      embedded = await startEmbeddedDatabase({
        dataDir: config.dataDir,
        log,
        onExit: (error) => {
          log.fatal({ err: error }, 'The database stopped and could not be restarted')
          void leave(1)
        },
      })
    }
    const database = config.databaseUrl ? { connectionString: config.databaseUrl } : embedded!.connection
    server = await startServer({ config, database, log })
    await writeInstallationFile(server.context)
    await greet(server)
    collectStartGarbage()
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}

/**
 * Readable lines in a terminal, JSON otherwise. Lines that cannot be written, because the log's disk is full, are lost,
 * and the server continues.
 */
async function logDestination() {
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty')
    return pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true })
  }
  const destination = pino.destination({ fd: 1, sync: true, maxLength: MAX_UNWRITTEN_CHARACTERS })
  destination.on('error', () => undefined)
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  return destination
}

/** Time for proxies to notice that they should choose another server; see deploy/Caddyfile. */
const NOTICE_MS = 3_000
/** Limit for the whole shutdown: somewhat less than container engines and systemd wait. */
const GRACE_MS = 28_000

const MAX_UNWRITTEN_CHARACTERS = 1_000_000

/** Prints Parley's address, what to do next and where the data is. */
async function greet({ url, context: { config, db } }: Server) {
  const { port } = new URL(url)
  // With PORT=0 the system chooses the port; every other address is printed as configured.
  const address = config.baseUrl.replace(/:0$/, `:${port}`)
  const lines = [
    `Parley is ready: ${address}`,
    ...((await hasAccounts(db)) ? [] : ['First time here? Open it and set up your company.']),
    `Data: ${config.dataDir}${config.databaseUrl ? ' (files), and the database of DATABASE_URL' : ''}`,
    'Stop with Ctrl-C.',
  ]
  console.log(`\n${lines.map((line) => `  ${line}\n`).join('')}`)
}
