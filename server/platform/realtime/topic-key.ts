declare const brand: unique symbol

/**
 * The internal name of a topic: its account, a space, and the name that clients use. Two accounts never share one,
 * whatever ids their clients choose.
 */
export type TopicKey = string & { readonly [brand]: true }

/** The key of a topic in an account. Without an account, nothing is ever broadcast to it. */
export function topicKey(account_id: string | null, topic: string): TopicKey {
  return `${account_id ?? ''} ${topic}` as TopicKey
}

/** Restores a key that arrived from another node. */
export function readTopicKey(text: string): TopicKey {
  return text as TopicKey
}

/** Empty for a topic without account. */
export function accountOf(key: TopicKey): string {
  return key.slice(0, key.indexOf(' '))
}

/** The name that clients use. */
export function wireTopic(key: TopicKey): string {
  return key.slice(key.indexOf(' ') + 1)
}
