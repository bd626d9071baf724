import { createHash } from 'node:crypto'
import { userName } from '#contract/accounts/users.ts'
import { DECLARATIVE_PUSH, type PushPayload } from '#contract/conversations/push.ts'
import { displayName } from '#contract/customers/customers.ts'
import { nicknameOf } from '#contract/customers/nickname.ts'
import { cutText } from '#contract/text/graphemes.ts'
import { isolate } from '#contract/text/isolate.ts'
import { previewOf } from '#contract/text/plain.ts'
import type { Context } from '../../../context.ts'
import { chooseServerLanguage, directionOf } from '../../../languages.ts'
import { readTogether } from '../../../platform/db/transact.ts'
import { findChosenLanguage } from '../../accounts/users/user-settings.ts'
import { translate } from '../../mail/mails/translate.ts'
import { countWaiting } from '../conversations/unread.ts'
import { findMessage } from '../notifications/alert-team.ts'
import { countTogether, findLive, type LiveAlert, listLiveConversations } from './alerts.ts'
import type { Recipient } from './devices.ts'
import { readPushSettings } from './settings.ts'

const BODY_LENGTH = 120
const TITLE_LENGTH = 80

interface Text {
  title: string
  body: string
  path: string
  tag: string
  conversation_id: string | null
}

/** The tag of notifications about several conversations at once. */
const MANY_TAG = 'many'

/**
 * A short name for a conversation, for push services and devices: the same whenever it is notified about, so that newer
 * notifications replace older ones, and it does not reveal the id.
 */
export function tagOf(conversation_id: string): string {
  return createHash('sha256').update(`push ${conversation_id}`).digest('base64url').slice(0, 16)
}

/** What a device receives about a notification; undefined if nothing of it waits any longer. */
export async function writePayload(
  context: Context,
  { account_id, user_id, language: ofBrowser }: Recipient,
  notification_id: string,
): Promise<PushPayload | undefined> {
  const { db } = context
  const [first, second] = await findLive(db, account_id, notification_id)
  if (!first) return undefined
  const [chosen, { shows_text }, waiting, badge] = await readTogether(db, (together) =>
    Promise.all([
      findChosenLanguage(together, account_id, user_id),
      readPushSettings(together, account_id, user_id),
      listLiveConversations(together, account_id, user_id),
      countWaiting(together, account_id, user_id),
    ]),
  )
  const language = chooseServerLanguage([chosen, ofBrowser])
  const text = second
    ? await writeTogether(context, language, { account_id, user_id })
    : shows_text
      ? await writeAlert(context, language, account_id, first)
      : { ...about(first), title: translate(language, 'push_message'), body: '' }
  return presentPayload(context, language, {
    id: notification_id,
    text,
    waiting: waiting?.map(tagOf) ?? null,
    badge,
  })
}

/** What a device receives when its user tries it. */
export async function writeTest(context: Context, recipient: Recipient, id: string): Promise<PushPayload> {
  const { account_id, user_id } = recipient
  const chosen = await findChosenLanguage(context.db, account_id, user_id)
  const language = chooseServerLanguage([chosen, recipient.language])
  const text = {
    title: translate(language, 'push_test'),
    body: translate(language, 'push_test_text'),
    path: '/settings/profile',
    tag: 'test',
    conversation_id: null,
  }
  const badge = await countWaiting(context.db, account_id, user_id)
  return presentPayload(context, language, { id, text, waiting: null, badge })
}

interface Contents {
  id: string
  text: Text
  waiting: string[] | null
  badge: number
}

function presentPayload({ config }: Context, language: string, { id, text, waiting, badge }: Contents): PushPayload {
  const { title, body, path, tag, conversation_id } = text
  return {
    web_push: DECLARATIVE_PUSH,
    notification: {
      title: cutText(title, TITLE_LENGTH),
      body: cutText(body, BODY_LENGTH),
      navigate: `${config.baseUrl}${path}`,
      lang: language,
      dir: directionOf(language),
      tag,
      data: { id, conversation_id, waiting },
    },
    app_badge: badge,
  }
}

/** `12 new messages · In 5 conversations`: says neither names nor texts. */
async function writeTogether(
  { db }: Context,
  language: string,
  { account_id, user_id }: Pick<Recipient, 'account_id' | 'user_id'>,
): Promise<Text> {
  const { messages, conversations } = await countTogether(db, account_id, user_id)
  return {
    title: translate(language, 'push_messages', { count: messages }),
    body: translate(language, 'push_conversations', { count: conversations }),
    path: '/conversations/all',
    tag: MANY_TAG,
    conversation_id: null,
  }
}

async function writeAlert({ db }: Context, language: string, account_id: string, alert: LiveAlert): Promise<Text> {
  const customer = displayName({ ...alert, nickname: nicknameOf(alert.customer_id) })
  if (alert.kind !== 'message' && alert.kind !== 'mention')
    return { ...about(alert), title: translate(language, `push_${alert.kind}`, { customer }), body: '' }
  // Deleted meanwhile, or everything but the text of it.
  const message = alert.message_id ? await findMessage(db, account_id, alert.message_id) : undefined
  const body = message ? previewOf(message) || translate(language, 'file') : ''
  const title =
    alert.kind === 'mention'
      ? translate(language, 'push_mention', { name: userName(message?.user ?? null) })
      : alert.messages > 1
        ? `${isolate(customer)} (${alert.messages})`
        : customer
  return { ...about(alert), title, body }
}

function about({ conversation_id, kind }: LiveAlert) {
  const bucket = kind === 'mention' ? 'mentions' : 'all'
  return { path: `/conversations/${bucket}/${conversation_id}`, tag: tagOf(conversation_id), conversation_id }
}
