import { sql } from 'kysely'
import * as z from 'zod/mini'
import { displayName } from '#contract/customers/customers.ts'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import { chooseServerLanguage } from '../../../languages.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { getConversation } from '../conversations/conversations.ts'
import { answersTo, lastMessages, selectRecipients } from './alert-team.ts'
import { deadlineMail } from './mail-templates.ts'

export const mailDeadline = defineJob('notifications.mailDeadline', {
  schema: z.object({ account_id: z.string(), deadline_id: z.string() }),
  mails: ['deadline'],
  run: (context: Context, { account_id, deadline_id }) => mailWarning(context, account_id, deadline_id),
})

/** Mails need not be decided upon to the second. */
const REST_MS = 1_000

export const followDeadlines = defineConsumer('notifications.followDeadlines', {
  of: ['deadline:warned'],
  restMs: REST_MS,
  concerns: sql`exists (select from user_settings s where s.account_id = events.account_id and s.email_alert_on_deadline)`,
  jobs: [mailDeadline],
  consume: enqueueWarnings,
})

async function enqueueWarnings(
  { jobs }: Context,
  { db }: Change,
  events: LoggedEvent<'deadline:warned'>[],
): Promise<void> {
  const warnings = events.map(({ account_id, event, request_id }) => ({
    payload: { account_id, deadline_id: event.deadline.id },
    request_id,
  }))
  await jobs.enqueueAll(db, mailDeadline, warnings)
}

/**
 * Mails that a deadline comes close to its assignee, or to everybody who wants such mails if nobody is assigned. May run
 * twice: the id of a mail is derived from its subject matter. Not if it was answered, snoozed or paused meanwhile.
 */
async function mailWarning(context: Context, account_id: string, deadline_id: string): Promise<void> {
  const { change, config } = context
  await change(async (tx) => {
    const deadline = await readRunning(tx, account_id, deadline_id)
    if (!deadline) return
    const { conversation_id } = deadline
    const conversation = await getConversation(tx.db, account_id, conversation_id, 'last')
    if (conversation.archived_at || conversation.snoozed_at || conversation.status !== 'open') return
    const users = await usersToWarn(tx.db, account_id, conversation.assignee_id)
    if (users.length === 0) return
    const messages = await lastMessages(tx.db, conversation, { notes: true })
    for (const { id, email, language } of users) {
      await writeMail(context, tx, account_id, {
        id: deriveId(`deadline ${deadline_id} ${id}`),
        kind: 'deadline',
        recipient: email,
        ...answersTo(config, conversation_id),
        content: deadlineMail(chooseServerLanguage([language]), {
          conversation_id,
          customer: displayName(conversation.customer),
          messages,
          baseUrl: config.baseUrl,
        }),
      })
    }
  })
}

/** A deadline whose time runs, locked until the mails are written, so that nobody pauses or ends it meanwhile. */
function readRunning({ db }: Change, account_id: string, id: string) {
  return ofAccount(db, account_id)
    .selectFrom('deadlines')
    .select('conversation_id')
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .where('resumed_at', 'is not', null)
    .forShare()
    .executeTakeFirst()
}

function usersToWarn(db: Db, account_id: string, assignee_id: number | null) {
  return selectRecipients(db, account_id)
    .where('user_settings.email_alert_on_deadline', '=', true)
    .$if(assignee_id !== null, (query) => query.where('users.id', '=', assignee_id!))
    .execute()
}
