import type { Context } from '../../context.ts'
import {
  linkMessage,
  linkThread,
  listThreads,
  updateThread,
} from '../../features/connections/external-links/external-links.ts'
import type { Mattermost } from './authorization.ts'

/** A conversation's thread in the currently connected channel. */
export async function findMirror(
  { db }: Pick<Context, 'db'>,
  { account_id, id, settings }: Mattermost,
  conversation_id: string,
) {
  const threads = await listThreads(db, account_id, [conversation_id])
  return threads.find(
    ({ authorization_id, place: channel }) => authorization_id === id && channel === settings.channel_id,
  )
}

/** Stores the thread of a conversation, and which message its first post shows. */
export async function recordThread(
  context: Context,
  { account_id, id: authorization_id, settings }: Mattermost,
  { conversation_id, thread, message_id }: { conversation_id: string; thread: string; message_id: string | undefined },
): Promise<void> {
  const channelKey = { account_id, authorization_id, place: settings.channel_id }
  const { url, team_domain } = settings
  const permalink = `${url}/${team_domain || '_redirect'}/pl/${thread}`
  await context.change(async (tx) => {
    await linkThread(tx, { ...channelKey, thread, conversation_id, role: 'mirror' })
    await updateThread(tx, channelKey, thread, { permalink })
    if (message_id) await linkMessage(tx, { ...channelKey, external_id: thread, message_id, direction: 'out' })
  })
}
