import { sql } from 'kysely'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { escapeLike } from '../../conversations/messages/messages.ts'

const AT_ONCE = 100

/**
 * Removes from the event log and from mails what contains these ids; with words given, only what also contains one of
 * them. Both are kept for days only, so both are small.
 */
export async function deleteMentionsOf(
  { db }: Pick<Change, 'db'>,
  account_id: string,
  ids: string[],
  words = [''],
): Promise<void> {
  const patterns = words.map((word) => `%${escapeLike(word)}%`)
  const quoted = words.map((word) => `%${escapeLike(JSON.stringify(word).slice(1, -1))}%`)
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const pattern = ids.slice(at, at + AT_ONCE).join('|')
    // Writes events, too: erasing removes words wherever they are.
    await ofAccount(db, account_id)
      .deleteFrom('events')
      .where(sql<boolean>`event::text ~ ${pattern} and event::text ilike any(${quoted}::text[])`)
      .execute()
    // Writes mails, too: erasing removes words wherever they are.
    await ofAccount(db, account_id)
      .deleteFrom('mails')
      .where(sql<boolean>`text || headers::text ~ ${pattern} and subject || text ilike any(${patterns}::text[])`)
      .execute()
  }
}
