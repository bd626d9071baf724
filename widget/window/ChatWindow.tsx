import { useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { Composer } from './Composer.tsx'
import type { Chat } from './chat.ts'
import { Header } from './Header.tsx'
import { paint } from './paint.ts'
import { Sign } from './Sign.tsx'
import { ThreadView } from './ThreadView.tsx'
import { chooseSpeech } from './words.ts'

/** The whole window inside the frame. */
export function ChatWindow({ chat }: { chat: Chat }) {
  const state = useSyncExternalStore(chat.store.subscribe, chat.store.get)
  const { look } = state
  const speech = useMemo(() => chooseSpeech([look.language, ...navigator.languages]), [look.language])
  const title = look.title || speech.words.title

  useLayoutEffect(() => {
    const root = document.documentElement
    root.lang = speech.language
    root.dir = speech.direction
    document.title = title
    paint(root, look.primaryColor, look.theme === 'dark')
  }, [speech, title, look.primaryColor, look.theme])

  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) chat.close()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [chat])

  return (
    <main className="window">
      <Header
        title={title}
        subtitle={look.subtitle ?? speech.words.subtitle}
        availability={sayAvailability(state.agentsOnline, look)}
        close={look.closeable === false ? undefined : { label: speech.words.close, run: () => chat.close() }}
      />
      <Sign state={state} words={speech.words} />
      <ThreadView chat={chat} state={state} speech={speech} />
      <Composer
        chat={chat}
        words={speech.words}
        placeholder={look.newMessagePlaceholder || speech.words.placeholder}
        openings={state.openings}
      />
    </main>
  )
}

function sayAvailability(
  agentsOnline: number,
  look: { showAgentAvailability?: boolean; agentAvailableText?: string; agentUnavailableText?: string },
) {
  if (!look.showAgentAvailability) return undefined
  const isOnline = agentsOnline > 0
  const text = isOnline ? look.agentAvailableText : look.agentUnavailableText
  return text ? { isOnline, text } : undefined
}
