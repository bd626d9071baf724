import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import pino from 'pino'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { header, report, time } from './figures.ts'
import { FILLS, PICTURE_KEY } from './import-fills.ts'
import { addressOf } from './installation.ts'
import { databaseBytes, residentBytes } from './processes.ts'

/** `npm run bench:import -- --messages 1000000 --product chatwoot`: moving in, the second time with nothing new. */
const { values } = parseArgs({
  options: { messages: { type: 'string', default: '1000000' }, product: { type: 'string', default: 'papercups' } },
})
const PRODUCT = values.product === 'chatwoot' ? 'chatwoot' : 'papercups'
const MESSAGES = Number(values.messages)
/** As in the installations of the contract page: many customers without a word, short conversations. */
const CONVERSATIONS = Math.ceil(MESSAGES / 8)
const CUSTOMERS = Math.ceil(MESSAGES / 5)
const SAMPLE_MS = 200
const PICTURE = resolve(import.meta.dirname, '../dashboard/public/icon-192.png')
const SECRET_KEY = 'b'.repeat(64)

header(`Moving in from ${PRODUCT} with ${MESSAGES.toLocaleString('en')} messages`)
const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const log = pino({ level: 'silent' })
const embedded = await startEmbeddedDatabase({ dataDir, log })
try {
  await migrate(embedded.connection, log)
  const source = await makeSource(embedded)
  const files = await makeFiles()
  for (const run of ['first import', 'second import, nothing new']) {
    const { seconds, command, database } = await runImport(embedded, source, files)
    report(run, `${seconds.toFixed(0)} s, ${Math.round(MESSAGES / seconds).toLocaleString('en')} messages a second`)
    report('  memory of the command, at most', mb(command))
    report('  and of the database, above before', mb(database))
  }
} finally {
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** @returns the address of a new database with the tables of the product */
async function makeSource({ connection }: EmbeddedDatabase): Promise<string> {
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query('create database source template template0')
  await admin.end()
  const { tables, fill } = FILLS[PRODUCT]
  const client = new pg.Client({ ...connection, database: 'source' })
  await client.connect()
  for (const [table, columns] of Object.entries(tables)) {
    const definitions = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`)
    await client.query(`create table "${table}" (${definitions.join(', ')})`)
  }
  await client.query(fill(MESSAGES, CONVERSATIONS, CUSTOMERS))
  await client.end()
  return addressOf({ ...connection, database: 'source' })
}

/** @returns the folder of the product's files, with one picture */
async function makeFiles(): Promise<string> {
  const folder = join(dataDir, 'old-files')
  const path = join(folder, PICTURE_KEY.slice(0, 2), PICTURE_KEY.slice(2, 4), PICTURE_KEY)
  await mkdir(dirname(path), { recursive: true })
  await copyFile(PICTURE, path)
  return folder
}

async function runImport({ connection, pid }: EmbeddedDatabase, source: string, files: string) {
  const postmaster = pid()
  const before = databaseBytes(postmaster)
  const peak = { command: 0, database: 0 }
  const seconds =
    (await time(async () => {
      const child = spawn(
        process.execPath,
        [
          '--max-semi-space-size=4',
          resolve(import.meta.dirname, '../bin/parley.ts'),
          `import-${PRODUCT}`,
          source,
          '--files',
          files,
        ],
        { env: { ...process.env, DATABASE_URL: addressOf(connection), DATA_DIR: dataDir, SECRET_KEY }, stdio: 'pipe' },
      )
      let output = ''
      child.stdout.on('data', (piece) => (output += String(piece)))
      child.stderr.on('data', (piece) => (output += String(piece)))
      const sampling = setInterval(() => {
        if (child.exitCode !== null) return
        // A process that is just ending has no memory any more, which is no number.
        peak.command = Math.max(peak.command, residentBytes(child.pid!) || 0)
        peak.database = Math.max(peak.database, databaseBytes(postmaster) - before)
      }, SAMPLE_MS)
      const code = await new Promise((done) => child.once('exit', done))
      clearInterval(sampling)
      if (code !== 0) throw new Error(output)
    })) / 1_000
  return { seconds, ...peak }
}

function mb(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
