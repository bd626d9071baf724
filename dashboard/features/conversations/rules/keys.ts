// Apart from the queries, which the first screen does not need.

export const RULES_KEY = ['rules'] as const

/** The key of a conversation's history. */
export function ruleEventsKey(conversation_id: string) {
  return ['rule-events', conversation_id] as const
}
