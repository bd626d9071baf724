import pg from 'pg'
import { hashToken, newId, newToken } from '#server/platform/secrets.ts'
import type { HttpLines } from './http-lines.ts'
import type { Installation } from './installation.ts'

/** Posts a message over HTTP, and waits until it is stored. */
export async function post(lines: HttpLines, token: string, message: object): Promise<void> {
  await lines.request('POST', '/api/messages', token, { message }, 201)
}

/** Creates a visitor session for each of these customers; returns the tokens in the same order. */
export async function signInVisitors(
  { database, account_id }: Installation,
  customers: { customer_id: string }[],
): Promise<string[]> {
  const tokens = customers.map(() => newToken('bench_'))
  const client = new pg.Client(database)
  await client.connect()
  await client.query(
    `insert into visitor_sessions (account_id, id, customer_id, token_hash)
     select $1, * from unnest($2::uuid[], $3::uuid[], $4::bytea[])`,
    [account_id, tokens.map(newId), customers.map(({ customer_id }) => customer_id), tokens.map(hashToken)],
  )
  await client.end()
  return tokens
}

export interface Pair {
  account_id: string
  /** The conversation's. */
  id: string
  customer_id: string
}

/** Conversations in the chat with their customers: those by mail need a mail server. */
export async function pickConversations({ database }: Installation, count: number): Promise<Pair[]> {
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<Pair>(
    "select account_id, id, customer_id from conversations where source = 'chat' order by id limit $1",
    [count],
  )
  await client.end()
  return rows
}
