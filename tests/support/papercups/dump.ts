import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { FreshDatabase } from '../database.ts'
import { withClient } from './database.ts'

/** How `pg_dump` begins and ends a plain file since August 2025. */
const HEAD = `--
-- PostgreSQL database dump
--

\\restrict 4JbJ0X1Nn3

-- Dumped from database version 13.11
-- Dumped by pg_dump version 15.14

SET statement_timeout = 0;
SET client_encoding = 'ENCODING';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);

CREATE FUNCTION public.oban_jobs_notify() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  channel text;
BEGIN
  RETURN NULL;
END;
$$;

`
const TAIL = `
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

--
-- PostgreSQL database dump complete
--

\\unrestrict 4JbJ0X1Nn3

`

/** Writes a database into a plain dump, as `pg_dump` does. */
export async function writeDump(database: FreshDatabase, path: string, encoding = 'UTF8'): Promise<void> {
  await withClient(database, async (client) => {
    const { rows: tables } = await client.query<{ name: string; columns: string }>(
      `select c.relname as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
       where relnamespace = 'public'::regnamespace and relkind = 'r' group by 1 order by 1`,
    )
    const file = createWriteStream(path)
    file.setMaxListeners(0)
    file.write(HEAD.replace('ENCODING', encoding))
    for (const { name, columns } of tables) {
      file.write(`CREATE TABLE public.${name} (\n);\n\nCOPY public.${name} (${columns}) FROM stdin;\n`)
      await pipeline(client.query(copyTo(`copy public."${name}" (${columns}) to stdout`)), file, { end: false })
      file.write('\\.\n\n\n')
    }
    await new Promise<void>((resolve) => file.end(TAIL, () => resolve()))
  })
}
