import type { StoredFile, VisitorMessage } from '#contract/conversations/messages.ts'
import type { Labels } from '../appearance/labels.ts'
import { userName } from '../names.ts'
import type { Unsent } from '../outbox/outbox.ts'
import { isSameDay } from '../times.ts'

/** One bubble. */
export interface Entry {
  id: string
  body: string
  /** Epoch milliseconds. */
  at: number
  isOwn: boolean
  /** The author, unless it is the visitor. */
  name?: string
  photo?: string
  files: StoredFile[]
  /** The length of a voice message, which audio files often do not contain. */
  seconds?: number
  /** A heading above the text. */
  heading?: string
  state: 'stored' | 'seen' | 'pending' | 'refused' | 'greeting'
  /** First and last in a row by the same side. */
  isFirst: boolean
  isLast: boolean
  /** The first of a new day. */
  startsDay: boolean
}

const SAME_BREATH_MS = 5 * 60_000

/** The name and photo for bots, and for agents where the inbox hides them. */
interface Company {
  name: string
  photo?: string
  hidesPeople?: boolean
}

/** All bubbles from top to bottom: the greeting, stored messages, and unsent ones. */
export function listEntries(
  greeting: string | undefined,
  messages: VisitorMessage[],
  outbox: Unsent[],
  labels: Labels,
  company: Company,
): Entry[] {
  const stored = new Set(messages.map(({ id }) => id))
  const plain = [
    ...messages.map((message) => fromMessage(message, labels, company)),
    ...outbox.filter(({ id }) => !stored.has(id)).map(fromUnsent),
  ]
  const greeted = greeting && {
    ...blank,
    ...company,
    id: 'greeting',
    body: greeting,
    at: plain[0]?.at ?? 0,
    state: 'greeting' as const,
  }
  const all: Entry[] = greeted ? [greeted, ...plain] : plain
  return all.map((entry, i) => ({
    ...entry,
    isFirst: !belongTogether(all[i - 1], entry),
    isLast: !belongTogether(entry, all[i + 1]),
    startsDay: entry.state !== 'greeting' && startsDay(all[i - 1], entry),
  }))
}

const blank = { isOwn: false, files: [], isFirst: true, isLast: true, startsDay: false }

function fromMessage(message: VisitorMessage, labels: Labels, company: Company): Entry {
  const { id, body, created_at, customer_id, seen_at, attachments, metadata, template } = message
  const isOwn = customer_id !== null
  return {
    ...blank,
    id,
    body: body ?? '',
    at: Date.parse(created_at),
    isOwn,
    files: attachments,
    seconds: readSeconds(metadata),
    heading: template?.header?.text,
    ...(!isOwn && authorOf(message, labels, company)),
    state: isOwn && seen_at ? 'seen' : 'stored',
  }
}

/** Neither a person nor the company stands above what the assistant wrote. */
function authorOf({ user, type, by_assistant }: VisitorMessage, labels: Labels, company: Company) {
  if (by_assistant) return { name: labels.assistant }
  if (company.hidesPeople || type === 'bot') return company
  return { name: user ? userName(user) : labels.agent, photo: user?.profile_photo_url ?? undefined }
}

function fromUnsent({ id, body, sent_at, refused, files = [], metadata }: Unsent): Entry {
  const state = refused ? 'refused' : 'pending'
  return { ...blank, id, body, at: Date.parse(sent_at), isOwn: true, files, seconds: readSeconds(metadata), state }
}

function readSeconds(metadata: Record<string, unknown> | null | undefined): number | undefined {
  const seconds = metadata?.voice_seconds
  return typeof seconds === 'number' && seconds > 0 ? seconds : undefined
}

function belongTogether(previous: Entry | undefined, next: Entry | undefined): boolean {
  if (!previous || !next || previous.isOwn !== next.isOwn || previous.name !== next.name) return false
  if (previous.state === 'greeting') return false
  return next.at - previous.at < SAME_BREATH_MS && isSameDay(previous.at, next.at)
}

function startsDay(before: Entry | undefined, entry: Entry): boolean {
  if (!before) return true
  return before.state !== 'greeting' ? !isSameDay(before.at, entry.at) : true
}
