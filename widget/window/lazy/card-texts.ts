import type { VisitorMessage } from '#contract/conversations/messages.ts'
import { cutText } from '#contract/text/graphemes.ts'
import { previewOf, withoutMarks } from '#contract/text/plain.ts'
import { findGreeting } from '../appearance/greeting.ts'
import type { Labels } from '../appearance/labels.ts'
import { userName } from '../names.ts'
import type { ChatState } from '../state.ts'
import { listUnseen } from '../thread/thread.ts'

const MAX_LENGTH = 140
/** Two texts longer than this would cover the page. */
const LONG = 100

/** The texts on the card: the first two unseen messages, or only the first if it is long; otherwise the greeting. */
export function listCardTexts(
  state: Pick<ChatState, 'card' | 'thread' | 'conversations' | 'appearance' | 'agentsOnline'>,
): string[] {
  if (state.card === 'greeting') return [cut(withoutMarks(findGreeting(sureOfNobody(state)) ?? ''))].filter(Boolean)
  const [first, second] = listMissed(state).flatMap(
    (message) => (previewOf(message) || message.attachments[0]?.filename) ?? [],
  )
  if (!first) return []
  return first.length > LONG || !second ? [cut(first)] : [cut(first), cut(second)]
}

/** The author shown on the card: of the first unseen message, or the company. */
export function findCardAuthor(
  state: Pick<ChatState, 'card' | 'thread' | 'conversations' | 'appearance'>,
  labels: Labels,
): { name: string; photo: string | undefined } {
  const { companyName, logo, useCompanyProfileOnly } = state.appearance
  const user = state.card !== 'greeting' && !useCompanyProfileOnly ? listMissed(state)[0]?.user : undefined
  if (user) return { name: userName(user), photo: user.profile_photo_url ?? undefined }
  return { name: companyName || labels.assistant, photo: logo }
}

/** Unseen messages by agents, those of the conversation on screen first. */
function listMissed({ thread, conversations }: Pick<ChatState, 'thread' | 'conversations'>): VisitorMessage[] {
  const elsewhere = conversations.flatMap(({ id, unseen, last_message }) =>
    unseen > 0 && id !== thread.conversation_id && last_message ? [last_message] : [],
  )
  return [...listUnseen(thread), ...elsewhere].filter(({ type }) => type !== 'bot')
}

/**
 * The card may show before it is known who is online, and must not show the away message if an agent turns out to be.
 */
function sureOfNobody({ appearance, agentsOnline }: Pick<ChatState, 'appearance' | 'agentsOnline'>) {
  return { appearance, agentsOnline: agentsOnline ?? (appearance.greeting ? 1 : 0) }
}

/** Cuts at the end of a word, where possible. */
function cut(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const short = cutText(text, MAX_LENGTH).slice(0, -1)
  const end = short.lastIndexOf(' ')
  return `${(end > MAX_LENGTH / 2 ? short.slice(0, end) : short).trimEnd()}...`
}
