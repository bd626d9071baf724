import type { ChatState } from '../state.ts'

/** What stands above everything that was said; the away message while the company is closed and nobody is there. */
export function findGreeting({
  appearance,
  agentsOnline,
}: Pick<ChatState, 'appearance' | 'agentsOnline'>): string | undefined {
  const { greeting, awayMessage, isOutsideWorkingHours } = appearance
  return isOutsideWorkingHours && !agentsOnline ? awayMessage || greeting : greeting
}
