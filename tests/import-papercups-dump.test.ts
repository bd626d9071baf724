import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { urlOf } from './support/operator.ts'
import { ACME, fill, id } from './support/papercups/company.ts'
import { createPapercups, insertInto, withClient } from './support/papercups/database.ts'
import { writeDump } from './support/papercups/dump.ts'
import { runImport } from './support/papercups/run.ts'

let source: FreshDatabase
let folder: string
let dump: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-papercups-dump-'))
  source = await createPapercups()
  await withClient(source, async (client) => {
    await fill(client)
    const texts = [
      'a\ttab',
      'two\nlines',
      'back\\slash',
      '\\.',
      '\\N',
      '\u2028 and ☕',
      'COPY public.x (a) FROM stdin;',
    ]
    for (const [at, body] of texts.entries()) {
      await insertInto(client)('messages', {
        id: id(`text ${at}`),
        account_id: ACME,
        conversation_id: id('empty'),
        body,
        inserted_at: `2022-03-03 10:00:0${at}`,
      })
    }
  })
  dump = join(folder, 'dump.sql')
  await writeDump(source, dump)
})
afterAll(async () => {
  await source.drop()
  await rm(folder, { recursive: true, force: true })
})

/** What an import makes of a source, apart from what is made anew each time. */
async function rowsAfter(address: string): Promise<unknown> {
  const target = await freshDatabase()
  try {
    const { code, output } = await runImport(target, { url: address }, join(folder, target.connection.database), [])
    expect(code, output).toBe(0)
    return await withClient(target, async (client) => {
      const { rows } = await client.query<{ table: string; rows: unknown }>(
        `select relname as table, query_to_xml(format('select to_jsonb(t) #- ''{value}'' #- ''{switched_off_at}'' #- ''{password_hash}'' #- ''{disabled_at}'' #- ''{attached_at}'' #- case when to_jsonb(t) ->> ''filename'' = ''message.txt'' then array[''created_at''] else array[''disabled_at''] end from %I t order by 1', relname),
           true, true, '')::text as rows
         from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
           and relname in ('accounts', 'users', 'customers', 'conversations', 'messages', 'mentions', 'files', 'tags', 'conversation_tags',
             'customer_tags', 'customer_notes', 'issues', 'saved_replies', 'event_subscriptions', 'functions', 'message_counts', 'message_words')
         order by 1`,
      )
      return rows
    })
  } finally {
    await target.drop()
  }
}

async function refusalOf(content: Buffer | string): Promise<string> {
  const path = join(folder, `refused-${Math.random()}.sql`)
  await writeFile(path, content)
  const target = await freshDatabase()
  try {
    const { code, output } = await runImport(target, { url: path }, folder, [])
    expect(code, output).toBe(1)
    const accounts = await withClient(target, async (client) => (await client.query('select 1 from accounts')).rows)
    expect(accounts).toEqual([])
    return output
  } finally {
    await target.drop()
  }
}

test('a plain dump, also compressed, becomes the same as the live database', async () => {
  const packed = join(folder, 'dump.sql.gz')
  await writeFile(packed, gzipSync(await readFile(dump)))
  const live = await rowsAfter(urlOf(source))
  expect(await rowsAfter(dump)).toEqual(live)
  expect(await rowsAfter(packed)).toEqual(live)
  expect(JSON.stringify(live)).toContain('two\\\\nlines')
})

test('an older dump is read, whose columns stand in another order and whose schema is named once', async () => {
  const older = (await readFile(dump, 'utf8'))
    .replace(/^COPY public\./gm, 'COPY ')
    .replace("SELECT pg_catalog.set_config('search_path', '', false);", 'SET search_path = public, pg_catalog;')
    .replace(/^COPY tags \(.*\) FROM stdin;\n(.*\n)*?\\\.\n/m, (block) => {
      const [head, ...rows] = block.trimEnd().split('\n')
      const turn = (columns: string[]) => [...columns].reverse()
      const names = turn(/\((.*)\)/.exec(head!)![1]!.split(', ')).join(', ')
      const turned = rows.map((row) => (row === '\\.' ? row : turn(row.split('\t')).join('\t')))
      return `COPY tags (${names}) FROM stdin;\n${turned.join('\n')}\n`
    })
  const path = join(folder, 'older.sql')
  await writeFile(path, older)
  expect(await rowsAfter(path)).toEqual(await rowsAfter(dump))
})

test('a dump in another encoding is converted, and broken text of one without encoding is replaced and reported', async () => {
  const text = await readFile(dump, 'utf8')
  const coded = (encoding: string) =>
    Buffer.from(
      text
        .replaceAll('\u2028 and ☕', '')
        .replace('Is the lamp in stock?', 'Où est la lampe ?')
        .replace("'UTF8'", `'${encoding}'`),
      'latin1',
    )
  const bodiesAfter = async (name: string, content: Buffer) => {
    const path = join(folder, name)
    await writeFile(path, content)
    const target = await freshDatabase()
    try {
      const { code, output } = await runImport(target, { url: path }, join(folder, name.replace('.sql', '')), [])
      expect(code, output).toBe(0)
      const { rows } = await withClient(target, (client) =>
        client.query(`select body from messages where id = '${id('m1')}'`),
      )
      return { body: rows[0].body, output }
    } finally {
      await target.drop()
    }
  }
  expect((await bodiesAfter('latin.sql', coded('LATIN1'))).body).toBe('Où est la lampe ?')
  const ascii = await bodiesAfter('ascii.sql', coded('SQL_ASCII'))
  expect(ascii.body).toBe('O� est la lampe ?')
  expect(ascii.output).toMatch(/1 row of messages had invalid text/)
})

test('what is no complete plain dump is refused with what to do, and changes nothing', async () => {
  const whole = await readFile(dump)
  const truncated = /not complete: it ends before the line/
  expect(await refusalOf(whole.subarray(0, whole.indexOf('COPY public.messages') + 400))).toMatch(truncated)
  expect(await refusalOf(whole.subarray(0, whole.indexOf('ALTER TABLE ONLY')))).toMatch(truncated)
  const packed = gzipSync(whole)
  expect(await refusalOf(packed.subarray(0, packed.length - 3_000))).toMatch(truncated)
  expect(await refusalOf(`PGDMP${'\0'.repeat(100)}`)).toMatch(/pg_restore/)
  expect(await refusalOf('-- PostgreSQL database cluster dump\n')).toMatch(/pg_dumpall/)
  expect(await refusalOf("INSERT INTO public.accounts VALUES ('x');\n")).toMatch(/without these options/)
  expect(await refusalOf('-- PostgreSQL database dump complete\n')).toMatch(/This is no database of Papercups/)
  expect(await refusalOf(whole.toString().replace('\tAcme\t', '\tAcme'))).toMatch(
    /damaged: the rows of "accounts" cannot be read/,
  )
})
