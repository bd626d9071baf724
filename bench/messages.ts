import pg from 'pg'
import type { Installation } from './installation.ts'

/** Posts a message over HTTP, and waits until it is stored. */
export async function post(url: string, token: string, body: object) {
  const answer = await fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify(body),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  await answer.arrayBuffer()
}

/** Conversations with their customers. */
export async function pickConversations(database: Installation['database'], count: number) {
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<{ id: string; customer_id: string }>(
    'select id, customer_id from conversations order by id limit $1',
    [count],
  )
  await client.end()
  return rows
}
