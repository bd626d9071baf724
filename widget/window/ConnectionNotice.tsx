import './ConnectionNotice.css'
import { fill, type Words } from './appearance/words.ts'
import type { ChatState } from './state.ts'
import { useNow } from './useNow.ts'

/** Shows connection problems, and that messages are not lost; nothing while connected. */
export function ConnectionNotice({ state, words }: { state: ChatState; words: Words }) {
  const text = useNotice(state, words)
  return (
    <div role="status">
      {text && (
        <p className="sign" key={text.kind} data-kind={text.kind}>
          {text.says}
        </p>
      )}
    </div>
  )
}

function useNotice({ isOnline, connection, waitUntil }: ChatState, words: Words) {
  const now = useNow(waitUntil ? 1000 : undefined)
  if (!isOnline) return { kind: 'offline', says: words.offline }
  if (waitUntil && waitUntil - now > 1000) {
    const seconds = Math.ceil((waitUntil - now) / 1000)
    return { kind: 'waiting', says: fill(words.slowDown, { seconds }) }
  }
  if (connection === 'offline') return { kind: 'unreachable', says: words.unreachable }
  if (connection === 'catching up') return { kind: 'catching-up', says: words.catchingUp }
  return undefined
}
