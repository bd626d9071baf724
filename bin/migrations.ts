/**
 * `npm run migrations`: adds checksums of new migrations to landed.sum, and fails if a recorded migration has changed.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { migrationsFolder, readMigrations } from '#server/platform/db/migrate.ts'

const file = resolve(migrationsFolder, 'landed.sum')
const noted = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
const current = (await readMigrations()).map(({ name, sha256 }) => `${name} ${sha256}`)
const missing = noted.filter((line) => !current.includes(line)).map((line) => line.split(' ')[0])

if (missing.length > 0) {
  console.error(
    `These migrations are published and must not change: ${missing.join(', ')}. Write a new migration instead. (A migration that nobody else has yet may be changed: remove its line from ${file} first.)`,
  )
  process.exitCode = 1
} else {
  await writeFile(file, `${current.join('\n')}\n`)
  console.log(`${current.length} migrations listed, ${current.length - noted.length} of them new`)
}
