import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import { type Customer, displayName } from '#contract/customers/customers.ts'
import { messageTime } from '../../../../platform/times.ts'
import { Choice } from '../../../../ui/Choice.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { localMinute } from '../../actions/snooze-times.ts'
import { type Afterwards, listAfterwards } from './afterwards.ts'
import styles from './TimeFields.module.css'
import { knownTimeZone } from './times.ts'

/** When a reply is sent, and what happens before and after. */
export interface Timing {
  /** In the format of `datetime-local` fields. */
  at: string
  if_answered: ScheduledMessage['if_answered']
  afterwards: Afterwards
}

interface TimeFieldsProps {
  timing: Timing
  change: (changes: Partial<Timing>) => void
  /** Their local time is shown, if it is known and another one. */
  customer: Customer | undefined
}

export function TimeFields({ timing: { at, if_answered, afterwards }, change, customer }: TimeFieldsProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <>
      <div>
        <label htmlFor={id}>{t('scheduled.at')}</label>
        <input
          id={id}
          className={styles.time}
          type="datetime-local"
          required
          min={localMinute(new Date())}
          value={at}
          onChange={({ target }) => change({ at: target.value })}
        />
        {customer && <TheirTime at={at} customer={customer} />}
      </div>
      <Choice
        legend={t('scheduled.if_answered')}
        options={[
          { value: 'hold', label: t('scheduled.hold') },
          { value: 'send', label: t('scheduled.send') },
        ]}
        value={if_answered}
        onChange={(chosen) => change({ if_answered: chosen })}
      />
      <Select
        label={t('scheduled.then')}
        options={listAfterwards(afterwards).map(({ value, days }) => ({
          value,
          label:
            value === 'nothing' || value === 'closes'
              ? t(`scheduled.${value}`)
              : t('scheduled.reminds', { count: days }),
        }))}
        value={afterwards}
        onChange={(chosen) => change({ afterwards: chosen })}
      />
    </>
  )
}

function TheirTime({ at, customer }: { at: string; customer: Customer }) {
  const { t } = useTranslation()
  const time = new Date(at)
  const zone = knownTimeZone(customer.time_zone)
  if (Number.isNaN(time.getTime()) || zone === knownTimeZone(null)) return null
  return (
    <p className={styles.theirs}>
      {t('scheduled.theirs', { time: messageTime(time.toISOString(), zone), name: displayName(customer) })}
    </p>
  )
}

/**
 * The chosen time as the server takes it.
 * @throws Error with a sentence if it is past
 */
export function timeOf(at: string, past: string): string {
  // The field's value is in the browser's time zone.
  const time = new Date(at)
  if (!(time.getTime() > Date.now())) throw new Error(past)
  return time.toISOString()
}
