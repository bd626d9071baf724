import type { SlackThread } from '#contract/integrations/slack-threads.ts'
import type { Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { SLACK_INTEGRATIONS, type SlackSettings } from './authorization.ts'

/** The Slack threads of a conversation, oldest first. */
export async function listSlackThreads(db: Db, account_id: string, conversation_id: string): Promise<SlackThread[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('external_threads')
    .innerJoin('authorizations', (join) =>
      join
        .onRef('authorizations.account_id', '=', 'external_threads.account_id')
        .onRef('authorizations.id', '=', 'external_threads.authorization_id'),
    )
    .leftJoin('companies', (join) =>
      join
        .onRef('companies.account_id', '=', 'external_threads.account_id')
        .onRef('companies.slack_channel_id', '=', 'external_threads.place'),
    )
    .select([
      'external_threads.id',
      'external_threads.place',
      'external_threads.thread',
      'external_threads.permalink',
      'external_threads.created_at',
      'authorizations.settings',
      'companies.slack_channel_name',
    ])
    .where('external_threads.conversation_id', '=', conversation_id)
    .where('authorizations.integration', 'in', SLACK_INTEGRATIONS)
    .orderBy('external_threads.created_at')
    .orderBy('external_threads.id')
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...byId.values()].map(
    ({ id, place: threadChannel, thread, created_at, settings, slack_channel_name, permalink }) => {
      const { channel_id, channel, team_id } = settings as unknown as SlackSettings
      const name = channel_id === threadChannel ? channel : slack_channel_name
      return {
        id,
        object: 'slack_conversation_thread',
        account_id,
        conversation_id,
        slack_channel: threadChannel,
        slack_thread_ts: thread,
        permalink:
          permalink ?? `https://app.slack.com/client/${team_id}/${threadChannel}/thread/${threadChannel}-${thread}`,
        slack_channel_name: name?.replace(/^#/, '') ?? null,
        created_at,
        updated_at: created_at,
      }
    },
  )
}
