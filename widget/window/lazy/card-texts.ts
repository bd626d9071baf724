import { withoutMarks } from '#contract/without-marks.ts'
import { findGreeting } from '../appearance/greeting.ts'
import type { ChatState } from '../state.ts'
import { listUnseen } from '../thread/thread.ts'

const MOST = 140
/** Two long ones would cover the page. */
const LONG = 100

/** The words on the card: the first two messages that were missed, or the first alone when it is long; else the greeting. */
export function listCardTexts(
  state: Pick<ChatState, 'card' | 'thread' | 'conversations' | 'appearance' | 'agentsOnline'>,
): string[] {
  const { card, thread, conversations } = state
  if (card === 'greeting') return [cut(withoutMarks(findGreeting(sureOfNobody(state)) ?? ''))].filter(Boolean)
  const elsewhere = conversations.flatMap(({ id, unseen, last_message }) =>
    unseen > 0 && id !== thread.conversation_id && last_message ? [last_message] : [],
  )
  const [first, second] = [...listUnseen(thread), ...elsewhere].flatMap(({ type, body, attachments }) =>
    type === 'bot' ? [] : ((withoutMarks(body ?? '') || attachments[0]?.filename) ?? []),
  )
  if (!first) return []
  return first.length > LONG || !second ? [cut(first)] : [cut(first), cut(second)]
}

/** The card comes before it is known who is there, and must not say that nobody is when the open chat says otherwise. */
function sureOfNobody({ appearance, agentsOnline }: Pick<ChatState, 'appearance' | 'agentsOnline'>) {
  return { appearance, agentsOnline: agentsOnline ?? (appearance.greeting ? 1 : 0) }
}

/** At the end of a word, where there is one. */
function cut(text: string): string {
  if (text.length <= MOST) return text
  const short = text.slice(0, MOST)
  const end = short.lastIndexOf(' ')
  return `${(end > MOST / 2 ? short.slice(0, end) : short).trimEnd()}...`
}
