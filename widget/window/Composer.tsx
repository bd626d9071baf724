import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Chat } from './chat.ts'
import { SendIcon } from './icons.tsx'
import type { Words } from './words.ts'

interface Props {
  chat: Chat
  words: Words
  placeholder: string
  openings: number
}

/** Where the visitor writes. One to four lines high; what is written survives until it is sent. */
export function Composer({ chat, words, placeholder, openings }: Props) {
  const [text, setText] = useState(() => chat.readDraft())
  const area = useRef<HTMLTextAreaElement>(null)

  useEffect(() => {
    if (openings > 0) area.current?.focus()
  }, [openings])

  useLayoutEffect(() => {
    const { current } = area
    if (current?.value !== text) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight}px`
  }, [text])

  function write(next: string) {
    setText(next)
    chat.keepDraft(next)
  }

  function send() {
    if (!text.trim()) return
    chat.send(text)
    setText('')
    area.current?.focus()
  }

  function sendOnEnter(event: KeyboardEvent) {
    // During composition Enter picks a word; Safari reports it after the composition's end, as key 229.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={area}
        rows={1}
        dir={text ? 'auto' : undefined}
        value={text}
        maxLength={50_000}
        placeholder={placeholder}
        aria-label={placeholder}
        enterKeyHint="send"
        onChange={({ target }) => write(target.value)}
        onKeyDown={sendOnEnter}
      />
      <button type="submit" className="send" aria-label={words.send} title={words.send} disabled={!text.trim()}>
        <SendIcon />
      </button>
    </form>
  )
}
