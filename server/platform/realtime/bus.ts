/** Takes one message, just as it was published. */
export type Receive = (topic: string, message: string) => void

/** Carries messages between the nodes that run the same server. */
export interface Bus {
  /** This process, different after each start. */
  readonly node: string
  /**
   * Delivers a message to every node subscribed to the topic: here at once, elsewhere in the order published.
   * False when the other nodes could not be reached. Never throws.
   */
  publish(topic: string, message: string): Promise<boolean>
  /** The same without this node. */
  publishToOthers(topic: string, message: string): Promise<boolean>
  /** Resolves once messages arrive, or when that cannot be waited for any longer. */
  subscribe(topic: string): Promise<void>
  unsubscribe(topic: string): void
  /** Sets the only listener, called with every message. */
  onMessage(receive: Receive): void
  /** Called when a topic's messages arrive only now, although `subscribe` no longer waited for them. */
  onLate(repair: (topic: string) => void): void
  /** Called when messages of other nodes may have been missed, once the connection works again. */
  onGap(repair: () => void): void
  isHealthy(): boolean
  /** Why it does not work, as a sentence for the operator; undefined if it does. */
  problem(): string | undefined
}
