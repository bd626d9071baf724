import { type SqlBool, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { Unacceptable } from '../../errors.ts'
import { findIdentity, saveIdentity } from '../../features/connections/external-links/identities.ts'
import { getConversation } from '../../features/conversations/conversations/conversations.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { mergeCustomers } from '../../features/customers/customer-profiles/merging.ts'
import { updateClaims } from '../../features/customers/customers/claims.ts'
import { getCustomer, resolveCustomer } from '../../features/customers/customers/customers.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../platform/db/of-account.ts'
import { deriveId, hashToken, newId, newToken } from '../../platform/secrets.ts'
import { findTelegram, type Telegram } from './connection.ts'
import { nameOf } from './content.ts'
import { findOrCreateSender } from './sender.ts'
import type { TelegramMessage } from './updates.ts'

const VALID_MS = 3_600_000

export interface Invitation {
  id: string
  customer_id: string
  conversation_id: string
}

/**
 * Creates a link to the bot of a conversation's inbox. Whoever opens it first, within an hour, is the conversation's
 * customer: send it to nobody else.
 * @throws NotFound; Unacceptable without a bot
 */
export async function createInvitation(
  context: Context,
  account_id: string,
  conversation_id: string,
): Promise<{ url: string; expires_at: string }> {
  const { inbox_id, customer_id } = await getConversation(context.db, account_id, conversation_id)
  const telegram =
    (await findTelegram(context, account_id, inbox_id)) ?? (await findTelegram(context, account_id, undefined))
  if (!telegram) throw new Unacceptable('Connect a Telegram bot to this inbox first.')
  const token = newToken('')
  const expires_at = new Date(Date.now() + VALID_MS).toISOString()
  await context.change(({ db }) =>
    db
      .insertInto('telegram_invitations')
      .values({
        account_id,
        id: newId(),
        authorization_id: telegram.id,
        customer_id,
        conversation_id,
        token_hash: hashToken(token),
        expires_at,
      })
      .execute(),
  )
  return { url: `https://t.me/${telegram.settings.bot_username}?start=${token}`, expires_at }
}

/** Uses up the invitation with whose link somebody has started the bot. Undefined if there is none, or no longer. */
export async function findInvitation(
  { db }: Change,
  { account_id, id }: Telegram,
  { text }: TelegramMessage,
): Promise<Invitation | undefined> {
  const token = /^\/start ([\w-]{1,64})$/.exec(text ?? '')?.[1]
  if (!token) return undefined
  return ofAccount(db, account_id)
    .deleteFrom('telegram_invitations')
    .where('token_hash', '=', hashToken(token))
    .where('authorization_id', '=', id)
    .where(sql<SqlBool>`expires_at > clock_timestamp()`)
    .returning(['id', 'customer_id', 'conversation_id'])
    .executeTakeFirst()
}

/**
 * Makes a Telegram user the invited customer. Conversations that they have had before as somebody unknown are joined; one
 * who is known otherwise stays who they are, and the team is told.
 */
export async function redeemInvitation(
  context: Context,
  tx: Change,
  { account_id }: Telegram,
  { id, customer_id, conversation_id }: Invitation,
  { from }: TelegramMessage,
): Promise<string> {
  const own_id = await findSenderOf(tx, account_id, from!.id)
  const invited = await resolveCustomer(tx.db, customer_id, account_id)
  if (!invited) return findOrCreateSender(tx, account_id, from!)
  const isJoined = !own_id || own_id === invited.id || (await isOnlyInTelegram(tx.db, account_id, own_id))
  if (isJoined) {
    if (own_id && own_id !== invited.id) await mergeCustomers(context, tx, account_id, null, invited.id, own_id)
    const external_id = String(from!.id)
    await saveIdentity(tx, account_id, { integration: 'telegram', external_id, customer_id: invited.id })
    const name = nameOf(from!).slice(0, 255)
    const { name: ownName } = await getCustomer(tx.db, account_id, invited.id)
    if (!ownName) await updateClaims(tx, account_id, invited.id, { name }, 'mail')
  }
  await postMessage(
    context,
    tx,
    account_id,
    { kind: 'bot', user_id: null },
    {
      id: deriveId(`telegram invitation ${id}`),
      conversation_id,
      body: isJoined
        ? 'The customer continues in Telegram.'
        : 'The link to Telegram was opened by a person whom you know as another customer. If both are the same, merge them.',
      type: 'note',
      private: true,
      source: 'telegram',
      isQuiet: true,
    },
  )
  return findOrCreateSender(tx, account_id, from!)
}

async function findSenderOf(tx: Change, account_id: string, user_id: number): Promise<string | undefined> {
  const identity = await findIdentity(tx.db, account_id, 'telegram', String(user_id))
  return identity?.customer_id ? (await resolveCustomer(tx.db, identity.customer_id, account_id))?.id : undefined
}

/** Whether nothing is known about a customer that could make them somebody else. */
async function isOnlyInTelegram(db: Db, account_id: string, id: string): Promise<boolean> {
  const { email, external_id } = await getCustomer(db, account_id, id)
  if (email || external_id) return false
  const other = await ofAccount(db, account_id)
    .selectFrom('external_identities')
    .select('id')
    .where('customer_id', '=', id)
    .where('integration', '!=', 'telegram')
    .limit(1)
    .executeTakeFirst()
  return !other
}

/** Deletes invitations that nobody has used in time. Runs each night. */
export async function pruneInvitations(db: Db): Promise<void> {
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('telegram_invitations')
    .where(sql<SqlBool>`expires_at < now()`)
    .execute()
}
