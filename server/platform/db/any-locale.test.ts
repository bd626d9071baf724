import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { foldWords } from '#contract/conversations/search-words.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { checkDatabase } from './check-database.ts'
import { migrate, migrationsFolder } from './migrate.ts'

/** The migration that made words independent of the locale. */
const MIGRATION = '20261212T0100-words-of-any-locale.sql'
const SENTENCES = [
  'INVOICE No. 12 is missing',
  'Привет, ДРУГ!',
  'Ở Đà Nẵng',
  'Ελλάδα, ΣΊΣΥΦΟΣ',
  '商品を返品したいです',
  '我想看看退货',
  'สวัสดีครับ ผมอยากคืนสินค้า',
  'ຂ້ອຍຢາກສົ່ງສິນຄ້າຄືນ',
  'ខ្ញុំចង់ប្រគល់ទំនិញវិញ។',
  'ကျွန်တော်ပစ္စည်းပြန်ပေးချင်ပါတယ်။',
  'मैं अपना पार्सल',
  "It's 4e6a91, and x4e6a\\",
  'a b a b a',
]
const ID = '00000000-0000-4000-8000-00000000000'

/** Databases of operators: in PostgreSQL's images, of the oldest installations, and of a Turkish company. */
const LOCALES = {
  'C.UTF-8 of the system': "LOCALE_PROVIDER libc LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'",
  C: "LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'",
  Turkish: "LOCALE_PROVIDER icu ICU_LOCALE 'tr' LC_COLLATE 'C' LC_CTYPE 'C'",
}

const withoutLog = pino({ level: 'silent' })

test.for(Object.entries(LOCALES))(
  'in a database with the locale %s the words of new and of earlier texts are those that the server looks for',
  async ([, locale]) => {
    const { connection, drop } = await freshDatabase('template0', locale)
    const earlier = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
    await cp(migrationsFolder, earlier, { recursive: true, filter: (file) => !file.endsWith(MIGRATION) })
    await migrate(connection, withoutLog, earlier)
    const client = new pg.Client(connection)
    await client.connect()
    try {
      await addTexts(client)
      await migrate(connection, withoutLog)
      const { rows } = await client.query<{ words: string[] }>(`
        select array(${inOrder('words')}) as words from message_words order by message_id`)
      expect(rows.map(({ words }) => words)).toEqual(SENTENCES.map(wordsOf))
      const { rows: customers } = await client.query<{ words: string[] }>(
        `select array(${inOrder('words')}) as words from customers`,
      )
      expect(customers[0]!.words).toEqual(wordsOf('IŞIK Đào'))
      const text = fc.string({ unit: 'grapheme', maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(text, async (input) => {
          const clean = input.toWellFormed().replaceAll('\u0000', '')
          const { rows } = await client.query<{ words: string[] }>(
            `select array(${inOrder('words_of($1)')}) as words`,
            [clean],
          )
          expect(rows[0]!.words).toEqual(wordsOf(clean))
        }),
        { numRuns: 200, seed: 20_261_129 },
      )
    } finally {
      await client.end()
      await drop()
      await rm(earlier, { recursive: true })
    }
  },
)

test('a database with another encoding than UTF-8 is refused before anything is written to it', async () => {
  const { connection, drop } = await freshDatabase('template0', "ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'")
  try {
    await expect(checkDatabase(connection, withoutLog, 1)).rejects.toThrow(
      'has the encoding LATIN1, which cannot store all languages: create one with',
    )
  } finally {
    await drop()
  }
})

const wordsOf = (text: string) => foldWords(text).map(({ word }) => word)

const inOrder = (words: string) =>
  `select word.lexeme from unnest(${words}) word, unnest(word.positions) position order by position`

/** Adds the sentences as messages, and a customer, as if they had been there before; without what they belong to. */
async function addTexts(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica')
  await client.query(`insert into customers (account_id, id, name) values ('${ID}1', '${ID}2', 'IŞIK Đào')`)
  await client.query(
    `insert into messages (account_id, id, conversation_id, number, body, customer_id, created_at)
     select '${ID}1', lpad(n::text, 32, '0')::uuid, '${ID}3', n, body, '${ID}2', now()
     from unnest($1::text[]) with ordinality as sentences (body, n)`,
    [SENTENCES],
  )
  await client.query(`insert into message_words (account_id, message_id, conversation_id, customer_id, created_at, words)
    select account_id, id, conversation_id, customer_id, created_at, words_of(body) from messages`)
  await client.query('set session_replication_role = origin')
}
