import { useEffect, useRef } from 'react'
import type { VisitorConversation } from '#contract/conversations/visitor-conversations.ts'
import { Line } from '../thread/Line.tsx'
import './ConversationList.css'
import { previewOf } from '#contract/text/plain.ts'
import type { Translation } from '../appearance/translation.ts'
import { PlusIcon } from '../icons.tsx'
import { formatAgo } from '../times.ts'

interface Props {
  conversations: readonly VisitorConversation[]
  shown: string | null
  translation: Translation
  now: number
  show: (id: string) => void
  startNew: () => void
}

/** All conversations of the visitor, the latest first, with a button to start a new one. */
export function ConversationList({ conversations, shown, translation, now, show, startNew }: Props) {
  const { labels } = translation
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="list-place" aria-label={labels.conversations}>
      <h2 ref={heading} tabIndex={-1}>
        {labels.conversations}
      </h2>
      <ul className="list">
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <button
              type="button"
              aria-current={conversation.id === shown ? 'true' : undefined}
              onClick={() => show(conversation.id)}
            >
              <Line text={conversation.last_message?.body ?? labels.conversations}>
                <Row conversation={conversation} translation={translation} now={now} />
              </Line>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="main-button" onClick={startNew}>
        <PlusIcon />
        {labels.startNew}
      </button>
    </section>
  )
}

function Row({
  conversation,
  translation,
  now,
}: { conversation: VisitorConversation } & Pick<Props, 'translation' | 'now'>) {
  const { labels, language } = translation
  const { last_message: message, status, unseen, created_at } = conversation
  const at = Date.parse(message?.created_at ?? created_at)
  const attached = message?.attachments[0]?.filename
  return (
    <>
      <span className="list-words" dir="auto" data-unseen={unseen > 0}>
        {(message && previewOf(message)) ||
          (message?.metadata?.voice_seconds ? labels.voice : attached) ||
          labels.conversation}
      </span>
      {unseen > 0 && <span className="count">{unseen}</span>}
      <span className="list-meta">
        {formatAgo(at, now, language, labels.justNow)}
        {status === 'closed' && ` · ${labels.isClosed}`}
      </span>
    </>
  )
}
