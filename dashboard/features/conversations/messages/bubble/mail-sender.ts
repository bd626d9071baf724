import type { Message } from '#contract/conversations/messages.ts'

/** Who wrote a message in the customer's conversation, if that was somebody else; set by the server. */
export function mailSenderOf({ metadata }: Pick<Message, 'metadata'>): { address: string; name: string } | undefined {
  const { address, name } = (metadata?.mail_sender ?? {}) as { address?: unknown; name?: unknown }
  if (typeof address !== 'string') return undefined
  return { address, name: typeof name === 'string' && name ? name : address }
}
