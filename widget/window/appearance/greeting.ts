import type { ChatState } from '../state.ts'

/**
 * The text at the top of the conversation: the greeting, or the away message outside working hours while no agent is
 * online.
 */
export function findGreeting({
  appearance,
  agentsOnline,
}: Pick<ChatState, 'appearance' | 'agentsOnline'>): string | undefined {
  const { greeting, awayMessage, isOutsideWorkingHours } = appearance
  return isOutsideWorkingHours && !agentsOnline ? awayMessage || greeting : greeting
}
