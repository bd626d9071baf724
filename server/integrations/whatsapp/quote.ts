import { plainText } from '#contract/text/plain.ts'
import { findMessage, findSentMessage } from '../../features/connections/external-links/external-links.ts'
import { readMessage } from '../../features/connections/mirrors/unsent-messages.ts'
import type { Db } from '../../platform/db/change.ts'
import { readReference } from './content.ts'

const QUOTED = 120

interface Channel {
  account_id: string
  authorization_id: string
  /** The customer's number or id. */
  place: string
}

/** The beginning of a message by its id at Meta, whoever wrote it; undefined if it is not known here. */
export async function findQuoted(db: Db, channel: Channel, external_id: string) {
  const link = (await findSentMessage(db, channel, external_id)) ?? (await findMessage(db, channel, external_id))
  const message = link?.message_id ? await readMessage(db, channel.account_id, link.message_id) : undefined
  if (!message) return undefined
  const text = plainText(message).replace(/\s+/g, ' ').trim() || (message.attachments[0]?.filename ?? '')
  const shown = text.length > QUOTED ? `${text.slice(0, QUOTED).toWellFormed()}…` : text
  return { conversation_id: message.conversation_id, shown }
}

/** The line above an answer to a message, or above a forwarded one; undefined for neither. */
export async function quoteOf(
  db: Db,
  channel: Channel,
  message: { [field: string]: unknown },
): Promise<string | undefined> {
  const { id, isForwarded } = readReference(message)
  if (isForwarded) return '(Forwarded)'
  const quoted = id && (await findQuoted(db, channel, id))
  return quoted ? `> ${quoted.shown}` : undefined
}
