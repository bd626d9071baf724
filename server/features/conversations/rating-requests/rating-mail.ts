import type { Conversation } from '#contract/conversations/conversations.ts'
import { SCORES } from '#contract/conversations/ratings.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { replyAddress } from '../../mail/conversation-mails/own-addresses.ts'
import type { Brand, MailContent } from '../../mail/mails/mail-templates.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { translate } from '../../mail/mails/translate.ts'
import { getConversation } from '../conversations/conversations.ts'
import { loadRatings } from '../conversations/rating.ts'
import { listReplyAddresses } from '../conversations/reply-address.ts'
import { readConsent } from '../notifications/consent.ts'
import { loadSender } from '../notifications/sender.ts'
import { unsubscribeLink } from '../notifications/unsubscribing.ts'
import { makeToken, VALID_MS } from './token.ts'

/** Whoever tidies up old conversations does not write to their customers. */
const FRESH_MS = 14 * 86_400_000

/**
 * Asks the customer of a closed conversation by mail how it was. Nobody is asked who has rated it, who never got an answer, who
 * takes no mail, or who was asked within the time that mails are kept (a month).
 * @param closed_at when it was closed: if it was opened again meanwhile, that closing is no longer asked about
 */
export async function writeRatingMail(
  context: Context,
  account_id: string,
  conversation_id: string,
  closed_at: string,
): Promise<void> {
  const { db, change, config } = context
  const conversation = await findRatable(db, account_id, conversation_id, closed_at)
  const recipient = conversation && (await findRecipient(db, conversation))
  if (!recipient || (await wasAsked(db, account_id, recipient))) return
  const { acceptsMail, language } = await readConsent(db, account_id, conversation.customer.id)
  const sender = acceptsMail ? await loadSender(context, conversation) : undefined
  if (!sender) return
  const { brand } = sender
  const unsubscribe = unsubscribeLink(config, account_id, conversation.customer.id)
  const reply_to = replyAddress(config, conversation_id)
  const token = makeToken(config.secretKey!, { account_id, conversation_id }, Date.now() + VALID_MS)
  await change((tx) =>
    writeMail(context, tx, account_id, {
      id: deriveId(`rating ${conversation_id} ${closed_at}`),
      kind: 'rating',
      recipient,
      from_name: brand.name,
      reply_to,
      content: ratingMail(language, {
        brand,
        href: `${config.baseUrl}/rate?token=${token}`,
        canReply: reply_to !== undefined,
        unsubscribe: unsubscribe.href,
      }),
      headers: unsubscribe.headers,
    }),
  )
}

/** The conversation, if that closing is still what its customer can rate. */
async function findRatable(db: Db, account_id: string, conversation_id: string, closed_at: string) {
  const exists = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', conversation_id)
    .where('closed_at', '=', closed_at)
    .where('first_replied_at', 'is not', null)
    .where('archived_at', 'is', null)
    .where('merged_into', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages as newest')
          .select('newest.id')
          .whereRef('newest.account_id', '=', 'conversations.account_id')
          .whereRef('newest.conversation_id', '=', 'conversations.id')
          .whereRef('newest.number', '=', 'conversations.last_number')
          .where('newest.created_at', '>', new Date(Date.now() - FRESH_MS).toISOString()),
      ),
    )
    .executeTakeFirst()
  if (!exists) return undefined
  const [rating] = await loadRatings(db, account_id, [conversation_id])
  return rating ? undefined : getConversation(db, account_id, conversation_id, 'last')
}

/** Where the team's answers go to by mail, if that is an address that the customer proved or the team knows. */
async function findRecipient(db: Db, { account_id, id, source, customer }: Conversation): Promise<string | undefined> {
  if (source === 'email') return customer.email ?? undefined
  if (source !== 'chat') return undefined
  const addresses = await listReplyAddresses(db, [{ account_id, conversation_id: id }])
  return addresses.get(`${account_id} ${id}`)
}

async function wasAsked(db: Db, account_id: string, recipient: string): Promise<boolean> {
  const mail = await ofAccount(db, account_id)
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', 'rating')
    .where('recipient', '=', recipient)
    .executeTakeFirst()
  return mail !== undefined
}

interface Request {
  brand: Brand
  /** The page on which the chosen score is confirmed. */
  href: string
  canReply: boolean
  unsubscribe: string
}

/** To a customer: how was the conversation? */
export function ratingMail(language: string, { brand, href, canReply, unsubscribe }: Request): MailContent {
  const text = translate(language, 'rating_text', { company: brand.name })
  const choices = SCORES.map((score) => ({
    label: translate(language, `rating_${score}`),
    href: `${href}&score=${score}`,
  }))
  return {
    language,
    brand,
    subject: translate(language, 'rating_subject', { company: brand.name }),
    preview: text,
    parts: [
      { type: 'text', text },
      { type: 'choices', choices: choices.reverse() },
      ...(canReply ? [{ type: 'small' as const, text: translate(language, 'reply_back') }] : []),
      { type: 'small', text: translate(language, 'unsubscribe'), href: unsubscribe },
    ],
  }
}
