import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type ScheduledMessage,
  type ScheduledMessageChanges,
  scheduledMessages,
} from '#contract/conversations/scheduled-messages.ts'
import { call } from '../../../../platform/http/api.ts'
import { returnToDraft } from '../drafts/drafts.ts'
import { dropScheduled, scheduledKeys, showScheduled } from './cache.ts'

/** What is going to be sent in a conversation, soonest first. */
export function scheduledQuery(conversation_id: string) {
  return queryOptions({
    queryKey: scheduledKeys.of(conversation_id),
    queryFn: async ({ signal }) => (await call(scheduledMessages.list, { query: { conversation_id }, signal })).data,
    staleTime: 60_000,
  })
}

/** The user's scheduled messages, or those of the whole team, soonest first. */
export function scheduledListQuery(all: boolean) {
  return queryOptions({
    queryKey: [...scheduledKeys.lists, all],
    queryFn: async ({ signal }) => (await call(scheduledMessages.list, { query: all ? { all } : {}, signal })).data,
    refetchOnMount: 'always',
  })
}

/**
 * Cancels a scheduled message, or takes a sent one back: its text, files and recipients return into the composer.
 * Fails once it was sent.
 */
export async function cancelScheduled(client: QueryClient, { id }: ScheduledMessage): Promise<void> {
  const { data } = await call(scheduledMessages.remove, { params: { id } })
  dropScheduled(client, data)
  const { body, files, mail, original_body: original } = data
  returnToDraft(data.conversation_id, {
    body,
    type: 'reply',
    ...(files.length > 0 && { files }),
    ...(mail && { mail: chosenMail(mail) }),
    ...(original && { original }),
  })
}

/** Sends a scheduled message now. */
export async function sendScheduledNow(
  client: QueryClient,
  { id }: ScheduledMessage,
  send_anyway: boolean,
): Promise<void> {
  await call(scheduledMessages.send, { params: { id }, query: { send_anyway } })
  dropScheduled(client, { id })
}

/** Changes text, time or consequences of a scheduled message. */
export async function changeScheduled(
  client: QueryClient,
  { id }: ScheduledMessage,
  changes: ScheduledMessageChanges,
): Promise<void> {
  const { data } = await call(scheduledMessages.update, {
    params: { id },
    body: { scheduled_message: changes },
  })
  showScheduled(client, data)
}

/** Without what was left to the server. */
function chosenMail({ to, cc, bcc, subject, quote }: NonNullable<ScheduledMessage['mail']>) {
  return {
    ...(to && { to }),
    ...(cc && { cc }),
    ...(bcc && { bcc }),
    ...(subject && { subject }),
    ...(quote && { quote }),
  }
}
