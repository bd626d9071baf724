/** The key of a conversation's merges and splits. Apart from their query, which the first screen does not need. */
export const movesKey = (conversation_id: string) => ['moves', conversation_id] as const
