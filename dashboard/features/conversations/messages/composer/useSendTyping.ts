import { useCallback, useEffect, useRef } from 'react'
import { sendToTeam } from '../../../../platform/realtime/connection.ts'

/** More often than the six seconds after which the indicator disappears. */
const REPEAT_MS = 3_000

/**
 * Sends typing events while this user writes a reply. Nothing is sent for notes, because customers receive them too.
 */
export function useSendTyping(conversation_id: string, user_id: number) {
  const sentAt = useRef(0)
  const sendTyping = useCallback(
    (typing: boolean) => {
      const now = Date.now()
      if (typing ? now - sentAt.current < REPEAT_MS : sentAt.current === 0) return
      sentAt.current = typing ? now : 0
      sendToTeam('typing', { conversation_id, user_id, typing })
    },
    [conversation_id, user_id],
  )
  useEffect(() => () => sendTyping(false), [sendTyping])
  return sendTyping
}
