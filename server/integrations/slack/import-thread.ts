import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { findThread, linkThread } from '../../features/connections/external-links/external-links.ts'
import { saveIdentity } from '../../features/connections/external-links/identities.ts'
import { findTeamMember } from '../../features/connections/mirrors/author.ts'
import { startConversation } from '../../features/conversations/conversations/starting.ts'
import { updateCustomer } from '../../features/customers/customers/changing.ts'
import { createCustomer } from '../../features/customers/customers/claims.ts'
import { getCustomer, resolveCustomer } from '../../features/customers/customers/customers.ts'
import { waitForTurn } from '../../features/customers/customers/signed-identity.ts'
import { findTrustedCustomer } from '../../features/mail/conversation-mails/find-author.ts'
import { type InboundOutcome, ignored } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import type { Slack } from './authorization.ts'
import { isUserMessage, SlackMessage } from './events.ts'
import { type PreparedMessage, postPrepared, prepareMessage } from './incoming.ts'
import { type Person, readPerson } from './people.ts'
import { findCompanyOf } from './store-events.ts'
import { requestAs } from './token.ts'

/** Maximum number of messages imported when a thread becomes a conversation. */
const MAX_MESSAGES = 100

/** A thread in Slack, first message first. */
export async function readThread(context: Context, slack: Slack, channel: string, ts: string): Promise<SlackMessage[]> {
  const response = await requestAs(context, slack, (client) =>
    client.conversations.replies({ channel, ts, limit: MAX_MESSAGES }),
  )
  return (response.messages ?? []).flatMap((message) => {
    const read = z.safeParse(SlackMessage, message)
    return read.success ? [read.data] : []
  })
}

interface Line {
  prepared: PreparedMessage
  person: Person
  /** Null unless the author is a user. */
  user_id: number | null
}

/** Creates a conversation from a thread with its customer. */
export async function importThread(
  context: Context,
  slack: Slack,
  channel: string,
  thread: SlackMessage[],
  customer: string,
): Promise<InboundOutcome> {
  const { account_id, id: authorization_id, inbox_id } = slack
  const lines = await readLines(context, slack, thread, customer)
  const starter = lines.find(({ prepared }) => prepared.message.user === customer)
  if (!starter) return ignored('It has no content.')
  const root = thread[0]!.ts
  const channelKey = { account_id, authorization_id, place: channel }
  return context.change(async (tx) => {
    const customer_id = await findOrCreatePerson(tx, slack, channel, starter.person)
    if (await findThread(tx.db, channelKey, root)) return ignored('It is already a conversation.')
    const { id: conversation_id } = await startConversation(tx, account_id, {
      id: deriveId(`slack conversation ${authorization_id} ${channel} ${root}`),
      customer_id,
      inbox_id,
      source: 'slack',
    })
    await linkThread(tx, { ...channelKey, thread: root, conversation_id, role: 'origin' })
    for (const line of lines) await postLine(context, tx, slack, { channel, conversation_id, customer_id }, line)
    return { state: 'done', conversation_id, customer_id }
  })
}

async function readLines(context: Context, slack: Slack, thread: SlackMessage[], customer: string): Promise<Line[]> {
  const lines: Line[] = []
  for (const message of thread.filter(isUserMessage)) {
    const prepared = await prepareMessage(context, slack, message)
    if (!prepared) continue
    const person = await readPerson(context, slack, message.user!, message.user_team)
    // All messages of the customer count as theirs, even if a team member acts as the customer for a test.
    const member = message.user === customer ? undefined : await findTeamMember(context.db, slack.account_id, person)
    lines.push({ prepared, person, user_id: member?.id ?? null })
  }
  return lines
}

async function postLine(
  context: Context,
  tx: Change,
  slack: Slack,
  { customer_id, ...target }: { channel: string; conversation_id: string; customer_id: string },
  { prepared, person, user_id }: Line,
): Promise<void> {
  const body = [prepared.body, ...prepared.files.lines].filter(Boolean).join('\n')
  if (user_id !== null) {
    await postPrepared(context, tx, slack, target, prepared, { kind: 'user', user_id }, { body })
    return
  }
  const isSomebodyElse = person.customer_id !== null && person.customer_id !== customer_id
  await postPrepared(
    context,
    tx,
    slack,
    target,
    prepared,
    { kind: 'customer', customer_id },
    {
      body,
      ...(isSomebodyElse && {
        metadata: { mail_sender: { name: person.name, address: person.email ?? person.name ?? 'Slack' } },
      }),
    },
  )
}

/** The customer who is this person: as stored, by e-mail address, or a new one. */
async function findOrCreatePerson(tx: Change, slack: Slack, channel: string, person: Person): Promise<string> {
  const { account_id } = slack
  const { external_id, name, email, photo, time_zone } = person
  await waitForTurn(tx, account_id, `slack ${external_id}`)
  const linked = person.customer_id && (await resolveCustomer(tx.db, person.customer_id, account_id))?.id
  const existingId = linked ?? (email ? await findTrustedCustomer(tx.db, account_id, email) : undefined)
  const identity = {
    ...(name && { name }),
    ...(email && { email }),
    ...(photo && { profile_photo_url: photo }),
    ...(time_zone && { time_zone }),
  }
  const id = existingId ?? (await createCustomer(tx, account_id, identity, 'mail', { ip: null })).id
  person.customer_id = id
  await saveIdentity(tx, account_id, { integration: 'slack', external_id, customer_id: id, name, email, photo })
  const company = await findCompanyOf(tx.db, slack, channel)
  if (company && !(await getCustomer(tx.db, account_id, id)).company_id) {
    await updateCustomer(tx, account_id, id, { company_id: company.id })
  }
  return id
}
