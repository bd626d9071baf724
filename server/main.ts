import pino from 'pino'
import { loadEnvFile, readConfig } from './config.ts'
import { keepSecretKey, settleConfig } from './data-folder.ts'
import { messageOf } from './errors.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from './platform/db/embedded.ts'
import { operatorSentence } from './platform/db/problems.ts'
import { OperatorError } from './platform/operator-error.ts'
import { type Server, startServer } from './start.ts'

/** Starts Parley from the environment and stays until it is told to stop. */
async function main() {
  if (Number(process.versions.node.split('.', 1)[0]) < 24) {
    throw new OperatorError(
      `Parley needs Node.js 24 or newer; this is ${process.version}. Start it with \`npm start\`.`,
    )
  }
  loadEnvFile()
  const given = readConfig(process.env)
  const redact = ['req.headers.authorization', 'req.headers.cookie']
  // Each line at once, so that none is lost with the process and the address stands below them all.
  const log = pino({ level: given.logLevel, redact }, logDestination())
  const config = await settleConfig(given, log)
  config.secretKey = await keepSecretKey(config)
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
    stopping ??= stop().catch((error) => log.error({ err: error }, 'stopping failed'))
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
          log.fatal({ err: error }, 'the database is gone')
          void leave(1)
        },
      })
    }
    const database = config.databaseUrl ? { connectionString: config.databaseUrl } : embedded!.connection
    server = await startServer({ config, database, log })
    greet(server, config.baseUrl)
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}

/** Where lines cannot be written, because the disk of the log is full, they are lost, and the server goes on. */
function logDestination() {
  const destination = pino.destination({ fd: 1, sync: true, maxLength: MOST_UNWRITTEN_CHARACTERS })
  destination.on('error', () => undefined)
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  return destination
}

/** For proxies to notice that they should choose another server; see deploy/Caddyfile. */
const NOTICE_MS = 3_000
/** After which there is an end whatever still runs: somewhat less than what container engines and systemd wait. */
const GRACE_MS = 28_000

const MOST_UNWRITTEN_CHARACTERS = 1_000_000

function greet({ url }: Server, baseUrl: string) {
  const port = new URL(url).port
  // PORT=0 leaves the choice to the system; every other address stands as it was given.
  console.log(`\n  Parley is ready: ${baseUrl.replace(/:0$/, `:${port}`)}`)
  console.log('  First time here? Open it and register your company. Stop with Ctrl-C.\n')
}

main().catch((error) => {
  const sentence = error instanceof OperatorError ? error.message : operatorSentence(error)
  console.error(sentence ? `\n${sentence}\n` : error instanceof Error ? error.stack : messageOf(error))
  process.exit(1)
})
