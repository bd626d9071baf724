import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { linkMessage, listExternalMessages } from '../external-links/external-links.ts'

/** A message that is sent over a connection in several parts, such as texts of limited length and files. */
interface SentMessage {
  account_id: string
  authorization_id: string
  message_id: string
}

/** The indexes of the parts that the vendor has accepted. */
export async function listSentParts(
  db: Db,
  { account_id, authorization_id, message_id }: SentMessage,
): Promise<Set<number>> {
  const links = await listExternalMessages(db, account_id, [message_id])
  const own = links.filter((link) => link.authorization_id === authorization_id && link.direction === 'out')
  return new Set(own.map(({ place }) => Number(place)))
}

/** Records that the vendor has accepted a part, which it knows by this id. */
export async function recordSentPart(
  { change }: Pick<Context, 'change'>,
  message: SentMessage,
  index: number,
  external_id: string,
): Promise<void> {
  const link = { ...message, place: String(index), external_id, direction: 'out' as const }
  await change((tx) => linkMessage(tx, link))
}

/**
 * Sends the unsent parts of a message in their order. Each is recorded as soon as the vendor has accepted it, so that none
 * is sent twice.
 * @param send returns the vendor's id of the part
 */
export async function sendUnsentParts<Part>(
  context: Pick<Context, 'db' | 'change'>,
  message: SentMessage,
  parts: Part[],
  send: (part: Part, index: number) => Promise<string>,
): Promise<void> {
  const sent = await listSentParts(context.db, message)
  for (const [index, part] of parts.entries()) {
    if (!sent.has(index)) await recordSentPart(context, message, index, await send(part, index))
  }
}
