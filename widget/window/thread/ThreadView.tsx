import { useMemo } from 'react'
import { findGreeting } from '../appearance/greeting.ts'
import { fill } from '../appearance/labels.ts'
import type { Chat } from '../chat.ts'
import { Choices } from '../composer/Choices.tsx'
import { listChoices } from '../composer/choices.ts'
import { DownIcon } from '../icons.tsx'
import { listMissing } from '../session/details.ts'
import type { ChatState } from '../state.ts'
import { useLazy } from '../useLazy.ts'
import { Bubble } from './Bubble.tsx'
import { type Entry, listEntries } from './entries.ts'
import { Line } from './Line.tsx'
import './ThreadView.css'
import type { Translation } from '../appearance/translation.ts'
import { formatDay, isSameDay } from '../times.ts'
import { useNow } from '../useNow.ts'
import { useScroll } from './useScroll.ts'

interface Props {
  chat: Chat
  state: ChatState
  translation: Translation
}

const loadQuestions = () => import('../lazy/AskDetails.tsx')
const loadWelcome = () => import('../lazy/Welcome.tsx')
const loadRating = () => import('../lazy/Rating.tsx')

/** The conversation, oldest message at the top. */
export function ThreadView({ chat, state, translation }: Props) {
  const { thread, isLoading, isOnline } = state
  const { labels, language } = translation
  const now = useNow(20_000)
  const entries = useEntries(state, translation)
  const marked = findMarked(entries)
  const first = entries.find(({ startsDay }) => startsDay)
  const last = entries.at(-1)
  const { scroller, missed, toBottom } = useScroll(entries)
  const isNew = !isLoading && entries.every(({ state }) => state === 'greeting')
  const welcome = useLazy(isNew, loadWelcome)

  return (
    <div className="thread">
      <section ref={scroller} className="scroller" aria-label={labels.conversation}>
        <div className="scrolled">
          {thread.hasOlder && (
            <button type="button" className="quiet-button" onClick={() => void chat.conversations.loadOlder()}>
              {labels.older}
            </button>
          )}
          {isLoading && <div className="skeleton" aria-hidden="true" />}
          {isNew && welcome && <welcome.Welcome chat={chat} translation={translation} hasGreeting={!!last} />}
          <div role="log" aria-live="polite" aria-relevant="additions" aria-busy={isLoading}>
            {entries.map((entry) => (
              <div key={entry.id} className="row" data-own={entry.isOwn} data-first={entry.isFirst}>
                <Line key={entry.body} text={entry.body}>
                  {entry.startsDay && !(entry === first && isSameDay(entry.at, now)) && (
                    <p className="day">{formatDay(entry.at, now, language)}</p>
                  )}
                  <Bubble
                    entry={entry}
                    marks={{ state: entry.id === marked, time: entry === last && entry.state !== 'greeting' }}
                    clock={{ now, isOnline }}
                    translation={translation}
                    retry={(id) => chat.writing.retry(id)}
                  />
                </Line>
              </div>
            ))}
          </div>
          <BelowThread chat={chat} state={state} translation={translation} />
        </div>
      </section>
      {missed && (
        <button type="button" className="to-bottom" onClick={toBottom}>
          <DownIcon />
          {labels.newer}
        </button>
      )}
    </div>
  )
}

/**
 * Below the messages: quick replies, details form, rating, a button for a new conversation, and the typing indicator.
 */
function BelowThread({ chat, state, translation }: Props) {
  const { thread, outbox, appearance, claims, asks, conversations, isAgentTyping, isLoading } = state
  const { labels } = translation
  const missing = chat.writing.isFirst() ? listMissing(appearance, claims) : []
  const questions = useLazy(missing.length > 0, loadQuestions)
  const isClosed = thread.status === 'closed' && thread.messages.length > 0
  const ratingPart = useLazy(isClosed, loadRating)
  const isAnswered = outbox.some(({ conversation_id: id }) => !id || id === thread.conversation_id)
  const rating = conversations.find(({ id }) => id === thread.conversation_id)?.rating ?? null
  const { user } = thread.messages.findLast(({ user }) => user) ?? {}
  const typist = (appearance.useCompanyProfileOnly ? appearance.companyName : user?.display_name) || labels.agent
  return (
    <>
      {!isLoading && !isAnswered && !isClosed && (
        <Choices
          choices={listChoices(appearance, thread.messages)}
          labels={labels}
          choose={(choice) => chat.writing.choose(choice)}
        />
      )}
      {missing.length > 0 && questions && (
        <questions.AskDetails
          missing={missing}
          emailPlaceholder={appearance.emailInputPlaceholder || labels.emailPlaceholder}
          labels={labels}
          asks={asks}
          answer={(details) => chat.writing.introduce(details)}
        />
      )}
      {isClosed && (
        <>
          <p className="line">{labels.closed}</p>
          {ratingPart && (
            <ratingPart.Rating
              key={thread.conversation_id}
              rating={rating}
              labels={labels}
              rate={(score, comment) => chat.rate(score, comment)}
            />
          )}
          <button type="button" className="quiet-button" onClick={() => chat.conversations.startNew()}>
            {labels.startNew}
          </button>
        </>
      )}
      <p className="typing" role="status">
        {isAgentTyping && (
          <>
            <span className="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {fill(labels.typing, { name: typist })}
          </>
        )}
      </p>
    </>
  )
}

/** The bubbles: greeting, stored messages, unsent messages. */
function useEntries(state: ChatState, { labels }: Translation): Entry[] {
  const { thread, outbox, appearance } = state
  const { companyName, logo, useCompanyProfileOnly } = appearance
  const greeting = thread.hasOlder ? undefined : findGreeting(state)
  return useMemo(() => {
    const company = { name: companyName || labels.assistant, photo: logo, hidesPeople: useCompanyProfileOnly }
    const waiting = outbox.filter(({ conversation_id: id }) => !id || id === thread.conversation_id)
    return listEntries(greeting, thread.messages, waiting, labels, company)
  }, [thread, outbox, labels, greeting, companyName, logo, useCompanyProfileOnly])
}

/** The visitor's message that shows its state: the last unsent one, otherwise the last one. */
function findMarked(entries: Entry[]): string | undefined {
  const own = entries.filter(({ isOwn, state }) => isOwn && state !== 'refused')
  return own.findLast(({ state }) => state === 'pending')?.id ?? own.at(-1)?.id
}
