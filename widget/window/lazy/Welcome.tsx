import { useEffect, useState } from 'react'
import type { WidgetTeam } from '#contract/widget/widgets.ts'
import './Welcome.css'
import { fill } from '../appearance/labels.ts'
import type { Translation } from '../appearance/translation.ts'
import type { Chat } from '../chat.ts'
import { Face } from '../thread/Bubble.tsx'
import { Line } from '../thread/Line.tsx'
import { useLazy } from '../useLazy.ts'
import { formatWithin } from './within.ts'

interface Props {
  chat: Chat
  translation: Translation
  /** Whether a greeting of the company follows below. */
  hasGreeting: boolean
}

const loadHelp = () => import('./Help.tsx')

/** Shown in an empty chat: who will answer, the usual response time, a welcome, and articles if there are any. */
export function Welcome({ chat, translation, hasGreeting }: Props) {
  const { labels, language } = translation
  const help = useLazy(!!chat.store.get().appearance.offersArticles, loadHelp)
  const [team, setTeam] = useState<WidgetTeam>()
  useEffect(() => {
    let isStale = false
    void chat.fetchTeam().then((answer) => isStale || setTeam(answer))
    return () => {
      isStale = true
    }
  }, [chat])
  const { people = [], seconds_to_reply = null } = team ?? {}
  return (
    <div className="welcome">
      {people.length > 0 && (
        <p className="faces">
          {people.map(({ name, photo }) => (
            <span key={name} className="face" title={name} role="img" aria-label={name}>
              <Line text="">
                <Face name={name} photo={photo ?? undefined} />
              </Line>
            </span>
          ))}
        </p>
      )}
      {!hasGreeting && <p className="hello">{labels.hello}</p>}
      {seconds_to_reply !== null && (
        <p className="within">{fill(labels.repliesWithin, { time: formatWithin(seconds_to_reply, language) })}</p>
      )}
      {help && <help.Help translation={translation} />}
    </div>
  )
}
