/** The key of the translations of a conversation's messages. */
export function translationsKey(conversation_id: string) {
  return ['translations', conversation_id] as const
}
