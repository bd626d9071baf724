import { isWrittenBy, type Message } from '#contract/conversations/messages.ts'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import type { PageVisit } from '#contract/customers/customers.ts'
import { startOfDay } from '#contract/days.ts'
import { mailSenderOf } from '../bubble/mail-sender.ts'
import type { Outgoing } from '../sending/outbox.ts'

const GROUP_MS = 5 * 60_000

export type Kind = 'customer' | 'own' | 'user' | 'bot'

/** One line of a thread. */
export type Entry =
  | { type: 'day'; key: string; at: string }
  | { type: 'unread'; key: string }
  | { type: 'unproven'; key: string }
  | { type: 'visit'; key: string; url: string; at: string }
  | { type: 'message'; key: string; message: Message; kind: Kind; isNote: boolean; isFirst: boolean; isLast: boolean }
  | { type: 'scheduled'; key: string; scheduled: ScheduledMessage; isOutdated: boolean }
  | { type: 'outgoing'; key: string; outgoing: Outgoing; isNote: boolean; isFirst: boolean }

/**
 * The lines of a thread, from top to bottom: days, messages (grouped by author and time), the line above the first
 * unread one, the line below the last one before the visitor's identity was proven, page visits, and unsent messages. A
 * message that is in the outbox and already stored appears once. Scheduled messages come last.
 */
export function entriesOf(
  messages: Message[],
  unsent: readonly Outgoing[],
  user_id: number,
  unread?: number | null,
  visits: readonly PageVisit[] = [],
  unproven?: number,
  scheduled: readonly ScheduledMessage[] = [],
): Entry[] {
  const entries: Entry[] = []
  const coming = [...visits]
  let day = Number.NaN
  const beginDay = (at: string) => {
    const today = startOfDay(at)
    if (today !== day) entries.push({ type: 'day', key: `day:${today}`, at })
    day = today
  }
  const passVisits = (until: number) => {
    while (coming[0] && Date.parse(coming[0].created_at) < until) {
      const { url, created_at: at } = coming.shift()!
      beginDay(at)
      entries.push({ type: 'visit', key: `visit:${at}`, url, at })
    }
  }
  // The line goes below the last loaded message up to that number.
  const lastUnproven = messages.findLast(({ number }) => unproven !== undefined && number <= unproven)
  messages.forEach((message, at) => {
    passVisits(Date.parse(message.created_at))
    beginDay(message.created_at)
    if (message.number === unread) entries.push({ type: 'unread', key: 'unread' })
    const before = messages[at - 1]
    const after = messages[at + 1]
    entries.push({
      type: 'message',
      key: message.id,
      message,
      kind: kindOf(message, user_id),
      isNote: isNote(message),
      isFirst: !before || message.number === unread || !isGrouped(before, message),
      isLast: !after || after.number === unread || !isGrouped(message, after),
    })
    if (message === lastUnproven) entries.push({ type: 'unproven', key: 'unproven' })
  })
  passVisits(Number.POSITIVE_INFINITY)
  const stored = new Set(messages.map((message) => message.id))
  const waiting = unsent.filter((outgoing) => !stored.has(outgoing.id))
  for (const outgoing of waiting) {
    beginDay(outgoing.sent_at)
    const newest = entries.at(-1)
    const isNoteToo = outgoing.type === 'note'
    const isFirst = !newest || !('isNote' in newest) || newest.isNote !== isNoteToo || !isOwn(newest)
    entries.push({ type: 'outgoing', key: outgoing.id, outgoing, isNote: isNoteToo, isFirst })
  }
  const answered = messages.findLast(({ customer_id }) => customer_id !== null)?.number ?? 0
  for (const each of scheduled) {
    if (stored.has(each.id)) continue
    entries.push({ type: 'scheduled', key: each.id, scheduled: each, isOutdated: answered > each.last_seen_number })
  }
  return entries
}

function isOwn(entry: Entry): boolean {
  return entry.type === 'outgoing' || (entry.type === 'message' && entry.kind === 'own')
}

function kindOf(message: Message, user_id: number): Kind {
  if (message.type === 'bot') return 'bot'
  if (message.customer_id) return 'customer'
  return isWrittenBy(user_id, message) ? 'own' : 'user'
}

export function isNote(message: Pick<Message, 'private' | 'type'>): boolean {
  return message.private || message.type === 'note'
}

function isGrouped(earlier: Message, later: Message): boolean {
  return (
    earlier.customer_id === later.customer_id &&
    mailSenderOf(earlier)?.address === mailSenderOf(later)?.address &&
    earlier.user_id === later.user_id &&
    earlier.external_author === later.external_author &&
    earlier.type === later.type &&
    earlier.by_assistant === later.by_assistant &&
    earlier.source === later.source &&
    earlier.private === later.private &&
    startOfDay(earlier.created_at) === startOfDay(later.created_at) &&
    Date.parse(later.created_at) - Date.parse(earlier.created_at) < GROUP_MS
  )
}
