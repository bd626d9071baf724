import { ForwardConversation } from './ForwardConversation.tsx'
import { ShareConversation } from './ShareConversation.tsx'

/** Shares a conversation outside the team: by email or by link. */
export function ShareActions({ conversation_id }: { conversation_id: string }) {
  return (
    <>
      <ForwardConversation conversation_id={conversation_id} />
      <ShareConversation conversation_id={conversation_id} />
    </>
  )
}
