/** The message of the card frame to its parent: the provider's id of the card, never its number. */
export interface CardMessage {
  parley: 'card'
  payment_method: string
}

/** Tells the parent page that the payment provider has stored the card. */
export function postCardSaved(payment_method: string): void {
  const message: CardMessage = { parley: 'card', payment_method }
  globalThis.parent.postMessage(message, location.origin)
}

/** Listens to the card frame. Messages of other origins are ignored. */
export function onCard(listener: (payment_method: string) => void): () => void {
  const receive = ({ origin, data }: MessageEvent<Partial<CardMessage> | null>) => {
    if (origin === location.origin && data?.parley === 'card' && data.payment_method) listener(data.payment_method)
  }
  addEventListener('message', receive)
  return () => removeEventListener('message', receive)
}
