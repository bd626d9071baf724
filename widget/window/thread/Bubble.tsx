import { useState } from 'react'
import { firstGrapheme } from '#contract/text/first-grapheme.ts'
import { Attachments } from './Attachments.tsx'
import './Bubble.css'
import type { Translation } from '../appearance/translation.ts'
import { ClockIcon } from '../icons.tsx'
import { formatAgo, formatTime } from '../times.ts'
import { useLazy } from '../useLazy.ts'
import type { Entry } from './entries.ts'

interface Props {
  entry: Entry
  /** Whether its state and its time are shown below it. */
  marks: { state: boolean; time: boolean }
  clock: { now: number; isOnline: boolean }
  translation: Translation
  retry: (id: string) => void
}

export function Bubble({ entry, marks, clock, translation, retry }: Props) {
  const { id, body, at: writtenAt, isOwn, name, photo, files, seconds, heading, state, isFirst, isLast } = entry
  const { labels, language } = translation
  const stateText = isOwn ? describeState(entry, marks.state, clock.isOnline, translation) : undefined
  const time =
    marks.time &&
    state !== 'pending' &&
    state !== 'refused' &&
    formatAgo(writtenAt, clock.now, language, labels.justNow)
  const meta = [stateText, time].filter(Boolean).join(' · ')
  return (
    <div className="message" data-state={state}>
      {!isOwn && isFirst && (
        <p className="author">
          <Face photo={photo} name={name} />
          <b dir="auto">{name}</b>
        </p>
      )}
      {isOwn && <span className="visually-hidden">{labels.you}:</span>}
      <div className="bubble" data-last={isLast} title={writtenAt ? formatTime(writtenAt, language) : undefined}>
        {state === 'pending' && <ClockIcon />}
        {heading && (
          <b className="heading" dir="auto">
            {heading}
          </b>
        )}
        <Attachments files={files} seconds={seconds} labels={labels} />
        {body && <MessageText body={body} isOwn={isOwn} />}
      </div>
      {meta && state !== 'refused' && <p className="meta">{meta}</p>}
      {state === 'refused' && (
        <p className="meta" data-kind="refused">
          {labels.notSent}{' '}
          <button type="button" className="link-button" onClick={() => retry(id)}>
            {labels.retry}
          </button>
        </p>
      )}
    </div>
  )
}

/** The first letter of the name is shown until the photo loads, or if it fails. */
export function Face({ photo, name = '' }: Pick<Entry, 'photo' | 'name'>) {
  const [broken, setBroken] = useState<string>()
  if (photo && photo !== broken) return <img src={photo} alt="" onError={() => setBroken(photo)} />
  return <span aria-hidden="true">{firstGrapheme(name).toLocaleUpperCase()}</span>
}

function describeState(
  { state }: Entry,
  isMarked: boolean,
  isOnline: boolean,
  { labels }: Translation,
): string | undefined {
  if (!isMarked) return undefined
  if (state === 'pending') return isOnline ? labels.sending : labels.waiting
  return state === 'seen' ? labels.seen : labels.sent
}

/** Characters that can format a text or make a link. Without any of them it needs no parsing. */
const FORMATTED = /[*_`~[\]#>@]|^\s*(?:[-+]|\d+[.)])\s|https?:|www\./im

const loadFormatted = () => import('../lazy/FormattedText.tsx')

/** A message in the text direction of its own language. Shown as it is until the formatting code is loaded. */
function MessageText({ body, isOwn }: { body: string; isOwn: boolean }) {
  const formatted = useLazy(FORMATTED.test(body), loadFormatted)
  if (formatted) return <formatted.FormattedText body={body} isOwn={isOwn} />
  return (
    <div className="text" dir="auto" translate="yes">
      {body}
    </div>
  )
}
