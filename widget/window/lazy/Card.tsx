import { useLayoutEffect, useRef } from 'react'
import { CARD } from '../../protocol.ts'
import './Card.css'
import type { Labels } from '../appearance/labels.ts'
import type { Chat } from '../chat.ts'
import { CloseIcon } from '../icons.tsx'
import type { ChatState } from '../state.ts'
import { Face } from '../thread/Bubble.tsx'
import { Line } from '../thread/Line.tsx'
import { findCardAuthor, listCardTexts } from './card-texts.ts'

/** What a closed window shows beside its button: unseen messages or the greeting. Pressing it opens the chat. */
export function Card({ chat, state, labels }: { chat: Chat; state: ChatState; labels: Labels }) {
  const texts = listCardTexts(state)
  const author = findCardAuthor(state, labels)
  const element = useRef<HTMLDivElement>(null)
  const open = () => chat.parent.send('papercups:open', {})

  useLayoutEffect(() => {
    document.documentElement.dataset.card = 'true'
    const sendHeight = () => chat.parent.send(CARD, { height: element.current?.offsetHeight ?? 0 })
    // Called once directly, because ResizeObserver does not run in a cross-origin frame that is still hidden.
    sendHeight()
    // Reports the height again when fonts or texts change.
    const resized = new ResizeObserver(sendHeight)
    resized.observe(element.current!)
    return () => {
      resized.disconnect()
      delete document.documentElement.dataset.card
      chat.parent.send(CARD, { height: 0 })
    }
  }, [chat])

  return (
    <main ref={element} className="card" data-side={state.appearance.side} aria-label={labels.newMessages}>
      <button type="button" className="card-close" aria-label={labels.close} onClick={() => chat.dismissCard()}>
        <CloseIcon />
      </button>
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two texts may be the same.
        <button key={at} type="button" className="card-text" dir="auto" onClick={open}>
          <Line text={text}>
            {at === 0 && (
              <span className="author">
                <Face {...author} />
                <b dir="auto">{author.name}</b>
              </span>
            )}
            {text}
          </Line>
        </button>
      ))}
      <button type="button" className="main-button" onClick={open}>
        {state.appearance.newMessagesNotificationText || labels.newMessages}
      </button>
    </main>
  )
}
