import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/database.ts'
import { describeSchema } from '../../../bin/schema.ts'

test('schema.ts describes the tables as the migrations leave them (npm run schema)', async () => {
  const database = await freshDatabase()
  const client = new pg.Client(database.connection)
  await client.connect()
  const described = await describeSchema(client)
  await client.end()
  await database.drop()
  expect(await readFile(join(import.meta.dirname, 'schema.ts'), 'utf8')).toBe(described)
})
