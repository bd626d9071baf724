import type { VisitorMessage } from '#contract/conversations/messages.ts'
import type { Appearance } from '../appearance/settings.ts'

/** A reply to send with one tap. */
export interface Choice {
  text: string
  /** For the team's programs, sent along with the text. */
  action?: string
}

const MAX_CHOICES = 12

/**
 * The current choices: the suggestions in the settings before the first message, later the buttons of the team's newest
 * message, if it has any.
 */
export function listChoices(appearance: Appearance, messages: readonly VisitorMessage[]): Choice[] {
  const last = messages.at(-1)
  if (!last) return readOptions(appearance.quickReplyOptions ?? '')
  if (last.customer_id !== null) return []
  const buttons = last.template?.buttons?.map(({ text }) => ({ text, action: text })) ?? []
  return [...readReplies(last.metadata?.quick_replies), ...buttons].slice(0, MAX_CHOICES)
}

/** Comma-separated in the setting; the Arabic comma counts as well. */
function readOptions(text: string): Choice[] {
  const options = text.split(/[,،]/).map((option) => option.trim())
  return [...new Set(options)]
    .filter(Boolean)
    .slice(0, MAX_CHOICES)
    .map((option) => ({ text: option }))
}

/** Programs may put anything into metadata, so both fields are checked. */
function readReplies(value: unknown): Choice[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((reply) => {
    const { text, action } = Object(reply) as Record<string, unknown>
    return typeof text === 'string' && text.trim() && typeof action === 'string' ? [{ text, action }] : []
  })
}
