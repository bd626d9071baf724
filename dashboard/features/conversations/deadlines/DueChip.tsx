import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { messageTime, useNow } from '../../../platform/times.ts'
import { Icon } from '../../../ui/Icon.tsx'
import styles from './DueChip.module.css'
import { roughTime, urgencyOf } from './due.ts'

/** When the next deadline of a conversation ends, in words and color. Nothing if it has none. */
export function DueChip({ conversation }: { conversation: Conversation }) {
  const { due_at, due_kind } = conversation
  if (!due_kind || conversation.status !== 'open') return null
  if (!due_at) return <Paused kind={due_kind} />
  return <Running conversation={conversation} due_at={due_at} kind={due_kind} />
}

type Kind = NonNullable<Conversation['due_kind']>

function Paused({ kind }: { kind: Kind }) {
  const { t } = useTranslation()
  return (
    <span className={styles.chip} data-urgency="paused" title={t(`deadlines.kinds.${kind}`)}>
      <Icon name="pause" size={14} />
      {t('deadlines.paused')}
    </span>
  )
}

function Running({ conversation, due_at, kind }: { conversation: Conversation; due_at: string; kind: Kind }) {
  const { t } = useTranslation()
  const now = useNow()
  const urgency = urgencyOf(conversation, now)
  const { unit, count } = roughTime(Date.parse(due_at) - now)
  const time = formatNumber(count, { style: 'unit', unit, unitDisplay: 'narrow' })
  const title = t('deadlines.due', { kind: t(`deadlines.kinds.${kind}`), time: messageTime(due_at) })
  return (
    <span className={styles.chip} data-urgency={urgency} title={title}>
      <Icon name={urgency === 'over' ? 'alert' : 'clock'} size={14} />
      {t(urgency === 'over' ? 'deadlines.over' : 'deadlines.left', { time })}
    </span>
  )
}
