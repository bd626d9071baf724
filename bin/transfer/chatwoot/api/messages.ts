import type { ChatwootApi, Json } from './client.ts'

/** As many as one answer holds. */
const MOST = 1_000
/** As many as an answer holds on a server that does not know ranges of ids. */
const OLDER_MOST = 20
const HIGHEST = 9_000_000_000_000_000

/**
 * All messages of a conversation, private ones and history too; undefined if the server cannot show it.
 * A range of ids is answered by its oldest thousand, so a full answer is asked for again in halves. Older servers ignore
 * the range's beginning.
 */
export async function readMessages(api: ChatwootApi, conversation: number): Promise<Json[] | undefined> {
  const path = `conversations/${conversation}/messages`
  const read = async (after: number, before: number): Promise<Json[] | undefined> => {
    const answer = await api.get(path, { after, before })
    const page: Json[] | undefined = answer?.payload
    if (!page || page.length < MOST) return page
    const ids = page.map(({ id }) => id as number).sort((a, b) => a - b)
    const middle = ids[MOST / 2]!
    const [older, newer] = [await read(after, middle), await read(middle, before)]
    return older && newer && [...older, ...newer]
  }
  const messages = await read(0, HIGHEST)
  if (messages?.length !== OLDER_MOST) return messages
  return readBackwards(api, path, messages)
}

/** By pages of twenty, for servers that answer the newest ones below an id. */
async function readBackwards(api: ChatwootApi, path: string, newest: Json[]): Promise<Json[] | undefined> {
  const messagesById = new Map<number, Json>(newest.map((message) => [message.id, message]))
  for (;;) {
    const before = Math.min(...messagesById.keys())
    const answer = await api.get(path, { before })
    if (!answer) return undefined
    const page: Json[] = answer.payload ?? []
    const fresh = page.filter(({ id }) => !messagesById.has(id))
    if (fresh.length === 0) return [...messagesById.values()].sort((a, b) => a.id - b.id)
    for (const message of fresh) messagesById.set(message.id, message)
  }
}
