import type { Message } from '#contract/messages.ts'
import type { Appearance } from '../appearance/settings.ts'

/** An answer that is given with one tap. */
export interface Choice {
  text: string
  /** What the team's programs read beside the text. */
  action?: string
}

const MOST = 12

/**
 * What can be answered with one tap: the suggestions of the settings while nothing was said, later the buttons of the
 * team's newest message, if it has any.
 */
export function listChoices(appearance: Appearance, messages: readonly Message[]): Choice[] {
  const last = messages.at(-1)
  if (!last) return readOptions(appearance.quickReplyOptions ?? '')
  if (last.customer_id !== null) return []
  const buttons = last.template?.buttons?.map(({ text }) => ({ text, action: text })) ?? []
  return [...readReplies(last.metadata?.quick_replies), ...buttons].slice(0, MOST)
}

/** Comma-separated, as the setting is written; the Arabic comma as well. */
function readOptions(text: string): Choice[] {
  const options = text.split(/[,،]/).map((option) => option.trim())
  return [...new Set(options)]
    .filter(Boolean)
    .slice(0, MOST)
    .map((option) => ({ text: option }))
}

/** Metadata holds whatever a program put there. Both fields are needed. */
function readReplies(said: unknown): Choice[] {
  if (!Array.isArray(said)) return []
  return said.flatMap((one) => {
    const { text, action } = Object(one) as Record<string, unknown>
    return typeof text === 'string' && text.trim() && typeof action === 'string' ? [{ text, action }] : []
  })
}
