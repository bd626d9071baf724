import type { ConversationRow } from '#contract/conversations.ts'

/**
 * What was brought back while the server is still being asked to take it away, and how it looks then. What is heard
 * meanwhile tells that it has gone, and would make it leave the list once more.
 */
const returning = new Map<string, Partial<ConversationRow>>()

/** Holds a conversation on screen in this look, or lets it go again. */
export function setReturning(id: string, look: Partial<ConversationRow> | undefined) {
  if (look) returning.set(id, look)
  else returning.delete(id)
}

/** Whether it is held on screen; in this look, where one is given. */
export function isReturning(id: string, look?: Partial<ConversationRow>): boolean {
  return look ? returning.get(id) === look : returning.has(id)
}

/** What was heard of a conversation, as it is to be shown. */
export function asReturning<Row extends ConversationRow>(row: Row): Row {
  const look = returning.get(row.id)
  return look ? { ...row, ...look } : row
}
