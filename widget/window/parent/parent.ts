import { fieldsOf, readEnvelope } from '../../protocol.ts'

type Listener = (event: string, payload: unknown) => void

/** The origin of the page around the frame, if the browser reveals it. */
function findOrigin(): string | undefined {
  const ancestor = location.ancestorOrigins?.[0]
  if (ancestor) return ancestor
  try {
    return new URL(document.referrer).origin
  } catch {
    return undefined
  }
}

/** Exchanges messages with the page around the frame only: other frames and windows are ignored. */
export function createParent(ts: string | null) {
  const { parent } = window
  const isFramed = parent !== window
  const origin = findOrigin()
  return {
    send(event: string, payload: object) {
      if (!isFramed) return
      // Published pages use this timestamp to tell instances apart.
      parent.postMessage({ event, payload: { ...payload, ...(ts && { ts }) } }, origin ?? '*')
    },

    listen(listener: Listener) {
      addEventListener('message', (message) => {
        if (!isFramed || message.source !== parent || (origin && message.origin !== origin)) return
        const envelope = readEnvelope(message.data)
        if (envelope) listener(envelope.event, envelope.payload)
      })
    },
  }
}

export type Parent = ReturnType<typeof createParent>

/** `isOpen` and, from our own loader, whether a person asked for it. */
export function readToggle(payload: unknown): { isOpen: boolean; byPerson: boolean } {
  const { isOpen, byPerson } = fieldsOf(payload)
  return { isOpen: isOpen === true, byPerson: byPerson === true }
}
