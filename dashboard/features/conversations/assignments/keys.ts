/** The key of a conversation's assignments. Apart from their query, which the first screen does not need. */
export function assignmentsKey(conversation_id: string) {
  return ['assignments', conversation_id]
}
