import { type User, userName } from '#contract/accounts/users.ts'
import type { Message } from '#contract/conversations/messages.ts'

/** A mentioned user, as stored in the message's metadata. */
export interface MentionedUser {
  id: number
  name: string
}

/** Teammates who match what was typed after the `@`: by display name, full name or email. */
export function mentionable(users: readonly User[], me: number, query: string): User[] {
  const typed = plain(query)
  return users.filter((user) => {
    if (user.id === me || user.disabled_at || user.archived_at) return false
    const names = [user.display_name, user.full_name, user.email].map((name) => plain(name ?? ''))
    return names.some((name) => name.startsWith(typed) || name.split(/\s+/).some((word) => word.startsWith(typed)))
  })
}

/**
 * The users mentioned in a text: those whose name follows an `@`. If several have the same name, the one chosen from
 * the menu is meant; without a choice, none is.
 */
export function mentionedIn(
  text: string,
  users: readonly User[],
  me: number,
  chosen: readonly number[],
): MentionedUser[] {
  const others = mentionable(users, me, '')
  const names = [...new Set(others.map(userName))].sort((a, b) => b.length - a.length)
  const meant = new Map<number, MentionedUser>()
  for (const name of namesIn(text, names)) {
    const called = others.filter((user) => userName(user) === name)
    const matching = called.length > 1 ? called.filter(({ id }) => chosen.includes(id)) : called
    for (const { id } of matching) meant.set(id, { id, name })
  }
  return [...meant.values()]
}

/** Splits a text into mentions (`@` and one of the names) and other pieces. */
export function cutMentions(text: string, names: readonly string[]): { text: string; isMention: boolean }[] {
  const pattern = mentionPattern(names)
  if (!pattern) return [{ text, isMention: false }]
  const pieces: { text: string; isMention: boolean }[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), isMention: false })
    pieces.push({ text: match[0], isMention: true })
    at = match.index + match[0].length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMention: false })
  return pieces
}

/** The names of mentioned users in a team message's metadata. Anything invalid is ignored. */
export function mentionedNames({ metadata, customer_id }: Pick<Message, 'metadata' | 'customer_id'>): string[] {
  const mentions = customer_id === null ? metadata?.mentions : undefined
  if (!Array.isArray(mentions)) return []
  return mentions.flatMap((mention: unknown) =>
    typeof mention === 'object' && mention !== null && 'name' in mention && typeof mention.name === 'string'
      ? [mention.name]
      : [],
  )
}

function namesIn(text: string, names: readonly string[]): string[] {
  const pattern = mentionPattern(names)
  return pattern ? [...text.matchAll(pattern)].map(([mention]) => mention.slice(1)) : []
}

/** Longer names first, so that Anna is not taken for Ann. */
function mentionPattern(names: readonly string[]): RegExp | undefined {
  const longestFirst = names.filter(Boolean).sort((a, b) => b.length - a.length)
  if (longestFirst.length === 0) return undefined
  const any = longestFirst.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return new RegExp(`(?<![\\p{L}\\p{N}])@(?:${any})(?![\\p{L}\\p{N}])`, 'gu')
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
