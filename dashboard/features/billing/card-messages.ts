/** What the frame with the card tells the page around it: the id that the provider gave the card, never its number. */
export interface CardMessage {
  parley: 'card'
  payment_method: string
}

/** Tells the page around this one that the provider has the card. */
export function postCardSaved(payment_method: string): void {
  const message: CardMessage = { parley: 'card', payment_method }
  globalThis.parent.postMessage(message, location.origin)
}

/** Listens to the frame; what other origins say is ignored. */
export function onCard(listener: (payment_method: string) => void): () => void {
  const receive = ({ origin, data }: MessageEvent<Partial<CardMessage> | null>) => {
    if (origin === location.origin && data?.parley === 'card' && data.payment_method) listener(data.payment_method)
  }
  addEventListener('message', receive)
  return () => removeEventListener('message', receive)
}
