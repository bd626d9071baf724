declare const brand: unique symbol

/**
 * What a topic is called inside the server: its account, a space, and the name that clients use. Two accounts never share
 * one, whatever ids their clients choose.
 */
export type TopicKey = string & { readonly [brand]: true }

/** The key of a topic in an account. Without an account it is nobody's: broadcasts never go there. */
export function topicKey(account_id: string | null, topic: string): TopicKey {
  return `${account_id ?? ''} ${topic}` as TopicKey
}

/** For keys that come back from another node. */
export function readTopicKey(text: string): TopicKey {
  return text as TopicKey
}

/** Empty for a topic of nobody's. */
export function accountOf(key: TopicKey): string {
  return key.slice(0, key.indexOf(' '))
}

/** The name that clients use. */
export function wireTopic(key: TopicKey): string {
  return key.slice(key.indexOf(' ') + 1)
}
