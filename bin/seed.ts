import { parseArgs } from 'node:util'
import pino from 'pino'
import { loadEnvFile, readConfig } from '#server/config.ts'
import { messageOf } from '#server/errors.ts'
import { openFileStore } from '#server/file-store.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { reachDatabase } from './database.ts'
import { seedCompany } from './seed/seed.ts'
import { SEED_PASSWORD } from './seed/team.ts'

/** `npm run seed -- --conversations 100000 --messages 1000000` fills the database with a realistic company. */
async function main() {
  const { values } = parseArgs({
    options: { customers: { type: 'string' }, conversations: { type: 'string' }, messages: { type: 'string' } },
  })
  const size = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, readNumber(name, text)]))
  loadEnvFile()
  const log = pino({ level: 'warn' })
  const config = readConfig(process.env)
  const database = await reachDatabase(config, log)
  try {
    await migrate(database.connection, log)
    const started = Date.now()
    const { emails, messages } = await seedCompany(database.connection, log, size, await openFileStore(config))
    console.log(`Seeded Lumen & Oak with ${messages} messages in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
    for (const email of emails) console.log(`  Log in as ${email} with the password ${SEED_PASSWORD}`)
  } finally {
    await database.release()
  }
}

function readNumber(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`--${name} must be a whole number above 0, not "${text}".`)
  return number
}

main().catch((error) => {
  console.error(messageOf(error))
  process.exitCode = 1
})
