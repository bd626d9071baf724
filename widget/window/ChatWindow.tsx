import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import type { Appearance } from './appearance/settings.ts'
import type { Chat } from './chat.ts'
import { Composer } from './composer/Composer.tsx'
import { Header } from './Header.tsx'
import { useLazy } from './useLazy.ts'
import './base.css'
import { fill, type Labels } from './appearance/labels.ts'
import { paint } from './appearance/paint.ts'
import { findTitle } from './appearance/title.ts'
import { type Translation, useTranslation } from './appearance/translation.ts'
import { useDrop } from './composer/useDrop.ts'
import type { ChatState } from './state.ts'
import { countElsewhere } from './thread/own-conversations.ts'
import { ThreadView } from './thread/ThreadView.tsx'
import { useNow } from './useNow.ts'
import './ConnectionNotice.css'

const loadCard = () => import('./lazy/Card.tsx')
const loadList = () => import('./lazy/ConversationList.tsx')

/** The whole window inside the frame. */
export function ChatWindow({ chat, first }: { chat: Chat; first: Translation }) {
  const state = useSyncExternalStore(chat.store.subscribe, chat.store.get)
  const { appearance } = state
  const translation = useTranslation(first, appearance.language)
  const title = findTitle(appearance, translation.labels)
  const isCard = state.card !== null && !state.isOpen
  const card = useLazy(isCard, loadCard)

  useLayoutEffect(() => {
    const root = document.documentElement
    root.lang = translation.language
    root.dir = translation.labels.direction
    document.title = title
    paint(root, appearance.primaryColor, appearance.theme === 'dark')
  }, [translation, title, appearance.primaryColor, appearance.theme])

  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      const { view, appearance, card, isOpen } = chat.store.get()
      if (card) chat.dismissCard()
      else if (view === 'list') chat.switchTo('thread')
      // For published pages a close from a closed window means that it should open.
      else if (isOpen && appearance.closeable !== false) chat.close()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [chat])

  if (isCard && card) return <card.Card chat={chat} state={state} labels={translation.labels} />
  return <Open chat={chat} state={state} translation={translation} title={title} />
}

interface OpenProps {
  chat: Chat
  state: ChatState
  translation: Translation
  title: string
}

function Open({ chat, state, translation, title }: OpenProps) {
  const { appearance, conversations, thread, view } = state
  const { labels } = translation
  const isList = view === 'list'
  const list = useLazy(isList, loadList)
  const now = useNow(60_000)
  const { isDragging, ...drop } = useDrop(!appearance.isHideAttachments && !isList, (files) => chat.files.add(files))
  const hasOthers = conversations.some(({ id }) => id !== thread.conversation_id)
  const count = countElsewhere(conversations, thread.conversation_id)
  return (
    <main className="window" aria-label={title} {...drop}>
      <Header
        title={title}
        subtitle={appearance.subtitle ?? labels.subtitle}
        logo={appearance.logo}
        availability={availabilityText(state.isOnline ? state.agentsOnline : null, appearance, labels)}
        back={isList ? { label: labels.back, run: () => chat.switchTo('thread') } : undefined}
        list={
          hasOthers && !isList ? { label: labels.conversations, count, run: () => chat.switchTo('list') } : undefined
        }
        close={appearance.closeable === false ? undefined : { label: labels.close, run: () => chat.close() }}
      />
      <ConnectionNotice state={state} labels={labels} />
      {isList && list ? (
        <list.ConversationList
          conversations={conversations}
          shown={thread.conversation_id}
          translation={translation}
          now={now}
          show={(id) => void chat.conversations.show(id)}
          startNew={() => chat.conversations.startNew()}
        />
      ) : (
        <>
          <ThreadView key={state.turns} chat={chat} state={state} translation={translation} />
          <Composer chat={chat} state={state} labels={labels} />
        </>
      )}
      {isDragging && <p className="drop">{labels.drop}</p>}
      {!(appearance.isBrandingHidden && (appearance.subscriptionPlan ?? 'team') === 'team') && (
        <p className="branding">{labels.branding}</p>
      )}
    </main>
  )
}

/** The availability text; nothing until it is known who is online. */
function availabilityText(agentsOnline: number | null, appearance: Appearance, labels: Labels) {
  if (!appearance.showAgentAvailability || agentsOnline === null) return undefined
  const isOnline = agentsOnline > 0
  const text = isOnline
    ? appearance.agentAvailableText || labels.available
    : appearance.agentUnavailableText || labels.unavailable
  return { isOnline, text }
}

/** Shows connection problems, and that messages are not lost; nothing while connected. */
function ConnectionNotice({ state, labels }: { state: ChatState; labels: Labels }) {
  const text = useNotice(state, labels)
  return (
    <div role="status">
      {text && (
        <p className="symbol" key={text.kind} data-kind={text.kind}>
          {text.says}
        </p>
      )}
    </div>
  )
}

function useNotice({ isOnline, connection, waitUntil }: ChatState, labels: Labels) {
  const now = useNow(waitUntil ? 1000 : undefined)
  if (!isOnline) return { kind: 'offline', says: labels.offline }
  if (waitUntil && waitUntil - now > 1000) {
    const seconds = Math.ceil((waitUntil - now) / 1000)
    return { kind: 'waiting', says: fill(labels.slowDown, { seconds }) }
  }
  if (connection === 'offline') return { kind: 'unreachable', says: labels.unreachable }
  if (connection === 'catching up') return { kind: 'catching-up', says: labels.catchingUp }
  return undefined
}
