import type { Db } from '#server/platform/db/change.ts'
import { openConversation, type Sender, sendOverHttp, sendOverSocket } from './clients.ts'
import { startLossyProxy } from './lossy-proxy.ts'

interface Run {
  /** The server's port. */
  port: number
  account_id: string
  clients: number
  messages: number
}

/** Half of the clients use HTTP, half sockets, all through a connection that loses, repeats and cuts. */
export async function sendThroughLosses({ port, account_id, clients, messages }: Run) {
  const proxy = await startLossyProxy(port)
  try {
    const each = Math.ceil(messages / clients)
    const senders = await Promise.all(
      Array.from({ length: clients }, async (_, i) => {
        const opened = await openConversation(proxy.url, account_id)
        return i % 2 ? sendOverSocket(proxy.url, opened, each) : sendOverHttp(proxy.url, opened, each)
      }),
    )
    return { senders, counts: proxy.counts }
  } finally {
    proxy.close()
  }
}

/** Faults of the stored messages: none, if the stored ids are the ids sent, in order, without gaps or duplicates. */
export async function findFaults(db: Db, senders: Sender[]): Promise<string[]> {
  const faults: string[] = []
  for (const { conversation_id, sent } of senders) {
    const stored = await db
      .selectFrom('messages')
      .select(['id', 'number'])
      .where('conversation_id', '=', conversation_id)
      .orderBy('number')
      .execute()
    const ids = stored.map(({ id }) => id)
    if (ids.length !== new Set(ids).size) faults.push(`${conversation_id}: an id is stored twice`)
    if (ids.join() !== sent.join())
      faults.push(`${conversation_id}: sent ${sent.length}, stored ${ids.length}, or in another order`)
    if (stored.some(({ number }, i) => number !== i + 1)) faults.push(`${conversation_id}: the numbers have a gap`)
  }
  return faults
}
