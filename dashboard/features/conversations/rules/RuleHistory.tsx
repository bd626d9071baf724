import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleEvent } from '#contract/conversations/rules.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { ruleEventsQuery } from './queries.ts'
import styles from './Rules.module.css'
import { actionText, listText } from './sentences.ts'
import { type Choices, useChoices } from './useChoices.ts'

/** What rules did in a conversation, and on demand which did nothing and why. Nothing where no rule has looked at it. */
export function RuleHistory({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const [showsMisses, setShowsMisses] = useState(false)
  const choices = useChoices()
  const events = useQuery(ruleEventsQuery(conversation_id))
  if (!events.data) return events.error ? <QueryView query={events} failed={t('rules.failed')} /> : null
  if (events.data.length === 0) return null
  const shown = events.data.filter(({ runs }) => showsMisses || runs.length > 0)
  return (
    <section className={styles.history} aria-label={t('rules.title')}>
      <h3>{t('rules.title')}</h3>
      {shown.length === 0 && <p className={styles.quiet}>{t('rules.no_runs')}</p>}
      <ul>
        <Each name="rule event" items={shown} keyOf={(event) => event.id}>
          {(event) => <Happened event={event} choices={choices} showsMisses={showsMisses} />}
        </Each>
      </ul>
      <Button variant="link" size="small" aria-expanded={showsMisses} onClick={() => setShowsMisses(!showsMisses)}>
        {t(showsMisses ? 'rules.hide_misses' : 'rules.show_misses')}
      </Button>
    </section>
  )
}

interface HappenedProps {
  event: RuleEvent
  choices: Choices
  showsMisses: boolean
}

function Happened({ event, choices, showsMisses }: HappenedProps) {
  const { t } = useTranslation()
  return (
    <li>
      <span className={styles.quiet}>
        {t(`rules.triggers.${event.trigger}`)} ·{' '}
        <time dateTime={event.created_at}>{messageTime(event.created_at)}</time>
      </span>
      {event.runs.map(({ rule_id, rule_name, effects }) => (
        <p key={rule_id}>
          <b dir="auto">{rule_name}</b>{' '}
          {effects
            .map(({ action, outcome, reason }) => {
              const why = reason ?? (outcome === 'unneeded' ? t('rules.unneeded') : undefined)
              return why ? `${actionText(t, choices, action)} (${why})` : actionText(t, choices, action)
            })
            .join(' · ')}
        </p>
      ))}
      {showsMisses &&
        event.misses.map(({ rule_id, rule_name, failed }) => (
          <p key={rule_id} className={styles.quiet}>
            <b dir="auto">{rule_name}</b>{' '}
            {failed ? t('rules.failed_condition', { condition: listText(t, choices, failed) }) : t('rules.stopped')}
          </p>
        ))}
    </li>
  )
}
