import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type TelegramDraft, telegram } from '#contract/integrations/telegram.ts'
import { integrationKeys } from '../../features/connections/authorizations/keys.ts'
import { call } from '../../platform/http/api.ts'

/** The Telegram bot of an inbox, the primary one by default, or null. */
export const telegramQuery = (inbox_id?: string) =>
  queryOptions({
    queryKey: [...integrationKeys.list, 'telegram', inbox_id],
    queryFn: async ({ signal }) =>
      (await call(telegram.get, { query: { ...(inbox_id && { inbox_id }) }, signal })).data,
    refetchOnMount: 'always',
  })

/** Connects a bot. Returns the host of another program that receives its messages, if it has to be asked for. */
export async function saveTelegram(client: QueryClient, connection: TelegramDraft): Promise<string | undefined> {
  const { data } = await call(telegram.connect, { body: { connection } })
  if (!data.ok) return data.webhook_host
  await client.invalidateQueries({ queryKey: integrationKeys.list })
  return undefined
}

/** Creates a link with which the customer of a conversation goes on in Telegram. */
export async function inviteToTelegram(conversation_id: string): Promise<string> {
  const { data } = await call(telegram.invite, { params: { conversation_id } })
  return data.url
}
