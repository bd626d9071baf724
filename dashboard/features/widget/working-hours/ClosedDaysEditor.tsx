import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayAt } from '#contract/days.ts'
import { MAX_CALENDAR_BYTES, readCalendar } from '#contract/widget/calendar-file.ts'
import type { ClosedDay } from '#contract/widget/working-hours.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { dayTitle, shortDay } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/Check.tsx'
import { Each } from '../../../ui/Each.tsx'
import { FileField } from '../../../ui/FileField.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { useSaveAccount } from '../../accounts/accounts/saving.ts'
import { writeMinute } from './day-minutes.ts'
import { EMPTY_DAY, PeriodFields } from './PeriodFields.tsx'
import styles from './WorkingHours.module.css'

/** Shows, adds, imports and removes the days on which other hours apply. Each change is saved at once. */
export function ClosedDaysEditor() {
  const { t } = useTranslation()
  const { account } = useTeam()
  const save = useSaveAccount()
  const { closed_days } = account
  /** Days of the same date replace each other. */
  const add = (days: ClosedDay[]) => {
    const others = closed_days.filter(({ date }) => !days.some((day) => day.date === date))
    const all = [...others, ...days].sort((a, b) => (a.date < b.date ? -1 : 1))
    return save({ closed_days: all })
  }
  const remove = (day: ClosedDay) => save({ closed_days: closed_days.filter((other) => other !== day) })
  return (
    <div className={styles.form}>
      {closed_days.length === 0 && <p className={styles.quiet}>{t('hours.closed.none')}</p>}
      <Each
        name="closed day"
        items={closed_days}
        keyOf={({ date, name }) => `${date} ${name}`}
        fallback={() => <Undrawn />}
      >
        {(day) => <DayLine day={day} remove={() => remove(day).catch(() => undefined)} />}
      </Each>
      <AddForm add={add} />
      <ImportField add={add} time_zone={account.time_zone ?? 'UTC'} />
    </div>
  )
}

function DayLine({ day, remove }: { day: ClosedDay; remove: () => void }) {
  const { t } = useTranslation()
  const { date, name, yearly, periods } = day
  const open = periods
    .map((period) => `${writeMinute(period.start_minute)} – ${writeMinute(period.end_minute)}`)
    .join(', ')
  return (
    <div className={styles.day}>
      <span>{yearly ? shortDay(date) : dayTitle(`${date}T12:00:00Z`, 'UTC')}</span>
      <span className={styles.quiet}>
        {[name, yearly && t('hours.closed.yearly'), open].filter(Boolean).join(' · ')}
      </span>
      <IconButton icon="trash" label={`${t('hours.closed.remove')}: ${name}`} onClick={remove} />
    </div>
  )
}

function AddForm({ add }: { add: (days: ClosedDay[]) => Promise<void> }) {
  const { t } = useTranslation()
  const [day, setDay] = useState(EMPTY_DAY)
  const { saving, error, submit, guard } = useSaving(async () => {
    await add([day])
    setDay(EMPTY_DAY)
  })
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit}>
      <div className={styles.add}>
        <TextField
          type="date"
          required
          label={t('hours.closed.date')}
          value={day.date}
          onChange={(date) => setDay({ ...day, date })}
        />
        <TextField
          required
          label={t('hours.closed.name')}
          value={day.name}
          onChange={(name) => setDay({ ...day, name })}
        />
      </div>
      <Check
        label={t('hours.closed.every_year')}
        checked={day.yearly}
        onChange={(yearly) => setDay({ ...day, yearly })}
      />
      <PeriodFields day={day} change={setDay} />
      <FormError text={error} />
      <div className={styles.buttons}>
        <Button type="submit" loading={saving}>
          {t('hours.closed.add')}
        </Button>
      </div>
    </form>
  )
}

interface ImportProps {
  add: (days: ClosedDay[]) => Promise<void>
  time_zone: string
}

/** Reads a calendar of holidays in the browser, and adds its days. */
function ImportField({ add, time_zone }: ImportProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string>()
  const [isReading, setReading] = useState(false)
  const read = async (file: File) => {
    const isSmall = file.size <= MAX_CALENDAR_BYTES
    const days = isSmall ? readCalendar(await file.text(), dayAt(new Date(), time_zone)) : []
    setProblem(days.length === 0 ? t('hours.closed.no_days') : undefined)
    if (days.length > 0) await add(days).catch(() => undefined)
  }
  const choose = async (file: File | undefined) => {
    if (!file) return
    setReading(true)
    await read(file)
    setReading(false)
  }
  return (
    <>
      <FileField
        label={t('hours.closed.import')}
        hint={t('hours.closed.import_hint')}
        accept=".ics,text/calendar"
        disabled={isReading}
        choose={choose}
      />
      <FormError text={problem} />
    </>
  )
}
