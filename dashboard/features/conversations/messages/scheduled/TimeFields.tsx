import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import { type Customer, displayName } from '#contract/customers/customers.ts'
import { messageTime } from '../../../../platform/times.ts'
import { Choice } from '../../../../ui/Choice.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { futureTime, localMinute } from '../../actions/snooze-times.ts'
import { type Afterwards, listAfterwards } from './afterwards.ts'
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
  return (
    <>
      <TextField
        type="datetime-local"
        label={t('scheduled.at')}
        hint={customer && theirTime(t, at, customer)}
        required
        min={localMinute(new Date())}
        value={at}
        onChange={(changed) => change({ at: changed })}
      />
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

/** The time on the customer's clock, where it is another one. */
function theirTime(t: TFunction, at: string, customer: Customer): string | undefined {
  const time = new Date(at)
  const zone = knownTimeZone(customer.time_zone)
  if (Number.isNaN(time.getTime()) || zone === knownTimeZone(null)) return undefined
  return t('scheduled.theirs', { time: messageTime(time.toISOString(), zone), name: displayName(customer) })
}

/**
 * The chosen time as the server takes it.
 * @throws Error with a sentence if it is past
 */
export function timeOf(at: string, past: string): string {
  const time = futureTime(at)
  if (!time) throw new Error(past)
  return time
}
