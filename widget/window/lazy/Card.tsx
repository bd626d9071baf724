import { useLayoutEffect, useRef } from 'react'
import { CARD } from '../../protocol.ts'
import './Card.css'
import type { Words } from '../appearance/words.ts'
import type { Chat } from '../chat.ts'
import { CloseIcon } from '../icons.tsx'
import type { ChatState } from '../state.ts'
import { Face } from '../thread/Bubble.tsx'
import { Line } from '../thread/Line.tsx'
import { findCardAuthor, listCardTexts } from './card-texts.ts'

/** What a closed window shows beside its button: unseen messages or the greeting. Pressing it opens the chat. */
export function Card({ chat, state, words }: { chat: Chat; state: ChatState; words: Words }) {
  const texts = listCardTexts(state)
  const author = findCardAuthor(state, words)
  const place = useRef<HTMLDivElement>(null)
  const open = () => chat.parent.send('papercups:open', {})

  useLayoutEffect(() => {
    document.documentElement.dataset.card = 'true'
    const sendHeight = () => chat.parent.send(CARD, { height: place.current?.offsetHeight ?? 0 })
    // Called once directly, because ResizeObserver does not run in a cross-origin frame that is still hidden.
    sendHeight()
    // Reports the height again when fonts or texts change.
    const resized = new ResizeObserver(sendHeight)
    resized.observe(place.current!)
    return () => {
      resized.disconnect()
      delete document.documentElement.dataset.card
      chat.parent.send(CARD, { height: 0 })
    }
  }, [chat])

  return (
    <main ref={place} className="card" data-side={state.appearance.side} aria-label={words.newMessages}>
      <button type="button" className="card-close" aria-label={words.close} onClick={() => chat.dismissCard()}>
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
        {state.appearance.newMessagesNotificationText || words.newMessages}
      </button>
    </main>
  )
}
