/** Query keys of the mails of a conversation and the recipients of the next one. */
export const mailKeys = {
  all: ['mails-of-conversation'] as const,
  of: (conversation_id: string) => [...mailKeys.all, conversation_id] as const,
  listOf: (conversation_id: string) => [...mailKeys.of(conversation_id), 'list'] as const,
  recipientsOf: (conversation_id: string) => [...mailKeys.of(conversation_id), 'recipients'] as const,
}
