import type pg from 'pg'

/** The size of a server's connection pool. */
export const SERVER_POOL = 16

interface Draft {
  account_id: string
  id: string
  conversation_id: string
  customer_id?: string | undefined
  body: string
}

/** One row changed, one added, and a commit: the least that any chat has to do to store a message. */
export async function storeBare(client: pg.ClientBase, draft: Draft): Promise<object> {
  const { account_id, id, conversation_id, customer_id = null, body } = draft
  await client.query('begin')
  const { rows } = await client.query(
    'update conversations set last_number = last_number + 1, last_activity_at = now() where account_id = $1 and id = $2 returning last_number',
    [account_id, conversation_id],
  )
  const stored = await client.query(
    'insert into messages (account_id, id, conversation_id, number, body, customer_id, created_at) values ($1, $2, $3, $4, $5, $6, now()) returning *',
    [account_id, id, conversation_id, rows[0].last_number, body, customer_id],
  )
  await client.query('commit')
  return stored.rows[0]
}
