import { ForwardConversation } from './ForwardConversation.tsx'
import { ShareConversation } from './ShareConversation.tsx'

/** How somebody outside reads a conversation: by mail, or by a link. */
export function ShareActions({ conversation_id }: { conversation_id: string }) {
  return (
    <>
      <ForwardConversation conversation_id={conversation_id} />
      <ShareConversation conversation_id={conversation_id} />
    </>
  )
}
