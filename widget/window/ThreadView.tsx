import { useMemo } from 'react'
import { Bubble } from './Bubble.tsx'
import type { Chat } from './chat.ts'
import { type Entry, listEntries } from './entries.ts'
import { DownIcon } from './icons.tsx'
import type { ChatState } from './state.ts'
import { isSameDay, sayDay } from './times.ts'
import { useNow } from './useNow.ts'
import { useScroll } from './useScroll.ts'
import { fill, type Speech } from './words.ts'

interface Props {
  chat: Chat
  state: ChatState
  speech: Speech
}

/** What was said, the oldest at the top. */
export function ThreadView({ chat, state, speech }: Props) {
  const { thread, outbox, look, isAgentTyping, isLoading, isOnline } = state
  const { words, language } = speech
  const now = useNow(20_000)
  const entries = useMemo(() => {
    const greeting = look.greeting ? { body: look.greeting, name: look.companyName || words.bot } : undefined
    return listEntries(thread.hasOlder ? undefined : greeting, thread.messages, outbox, words)
  }, [thread, outbox, look.greeting, look.companyName, words])
  const marked = findMarked(entries)
  const first = entries.find(({ startsDay }) => startsDay)
  const last = entries.at(-1)
  const { scroller, missed, toBottom } = useScroll(entries)
  const typist = thread.messages.findLast(({ user }) => user)?.user?.display_name || words.agent

  return (
    <div className="thread">
      <section ref={scroller} className="scroller" aria-label={words.conversation}>
        {thread.hasOlder && (
          <button type="button" className="quiet-button" onClick={() => void chat.loadOlder()}>
            {words.older}
          </button>
        )}
        {isLoading && <div className="skeleton" aria-hidden="true" />}
        <div role="log" aria-live="polite" aria-relevant="additions" aria-busy={isLoading} className="log">
          {entries.map((entry) => (
            <div key={entry.id} className="row" data-own={entry.isOwn} data-first={entry.isFirst}>
              {entry.startsDay && !(entry === first && isSameDay(entry.at, now)) && (
                <p className="day">{sayDay(entry.at, now, language)}</p>
              )}
              <Bubble
                entry={entry}
                marks={{ state: entry.id === marked, time: entry === last && entry.state !== 'greeting' }}
                clock={{ now, isOnline }}
                speech={speech}
                retry={(id) => chat.retry(id)}
              />
            </div>
          ))}
        </div>
        {thread.status === 'closed' && <p className="line">{words.closed}</p>}
        {isAgentTyping && (
          <p className="typing" role="status">
            <span className="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {fill(words.typing, { name: typist })}
          </p>
        )}
      </section>
      {missed && (
        <button type="button" className="to-bottom" onClick={toBottom}>
          <DownIcon />
          {words.newer}
        </button>
      )}
    </div>
  )
}

/** Which of the visitor's messages says how it fares: the last one on its way, else the last that arrived. */
function findMarked(entries: Entry[]): string | undefined {
  const own = entries.filter(({ isOwn, state }) => isOwn && state !== 'refused')
  return own.findLast(({ state }) => state === 'pending')?.id ?? own.at(-1)?.id
}
