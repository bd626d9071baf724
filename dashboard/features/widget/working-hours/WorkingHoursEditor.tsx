import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, accounts } from '#contract/accounts/accounts.ts'
import { findOverlap } from '#contract/widget/working-hours.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { useCall } from '../../../platform/session/widget-page-session.ts'
import { Button } from '../../../ui/Button.tsx'
import { ComboBox } from '../../../ui/ComboBox.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { accountQuery, useTeam } from '../../accounts/accounts/account.ts'
import { nextHours, WHOLE_DAY } from './day-minutes.ts'
import { HoursList } from './HoursList.tsx'
import { HoursRows, keyed } from './HoursRows.tsx'
import { describe, listTimeZones, ownTimeZone } from './time-zones.ts'
import { useDayNames } from './useDayNames.ts'
import styles from './WorkingHours.module.css'

/** Shows and edits the account's working hours. */
export function WorkingHoursEditor() {
  const { t } = useTranslation()
  const { account } = useTeam()
  const [isEditing, setEditing] = useState(false)
  if (isEditing) return <HoursForm account={account} close={() => setEditing(false)} />
  return (
    <div className={styles.shown}>
      <div className={styles.list}>
        <p>{account.time_zone ? describe(account.time_zone, new Date()).label : t('hours.no_zone')}</p>
        <HoursList hours={account.working_hours} />
      </div>
      <Button onClick={() => setEditing(true)}>
        {t('edit')}
        <span className="unseen"> {t('hours.title')}</span>
      </Button>
    </div>
  )
}

function HoursForm({ account, close }: { account: Account; close: () => void }) {
  const { t } = useTranslation()
  const dayName = useDayNames()
  const call = useCall()
  const client = useQueryClient()
  const [zone, setZone] = useState(account.time_zone ?? ownTimeZone())
  const [rows, setRows] = useState(() => keyed(account.working_hours.length > 0 ? account.working_hours : [WHOLE_DAY]))
  const working_hours = rows.map(({ hours }) => hours)
  const overlap = findOverlap(working_hours)
  const { saving, error, submit, guard } = useSaving(async () => {
    if (overlap) return
    try {
      const { data } = await call(accounts.update, { body: { account: { time_zone: zone, working_hours } } })
      client.setQueryData(accountQuery.queryKey, data)
    } catch (refusal) {
      setZone(account.time_zone ?? ownTimeZone())
      setRows(keyed(account.working_hours))
      throw refusal
    }
    close()
  })
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit}>
      <TimeZoneField value={zone} onChange={setZone} />
      <HoursRows rows={rows} write={setRows} overlapping={overlap?.indexes ?? []} />
      <FormError text={overlap ? t('hours.overlap', { day: dayName(overlap.day) }) : error} />
      <div className={styles.buttons}>
        <Button onClick={() => setRows([...rows, ...keyed([nextHours(working_hours)])])}>{t('hours.add')}</Button>
        <span className={styles.gap} />
        <Button onClick={close}>{t('cancel')}</Button>
        <Button variant="primary" type="submit" loading={saving}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

/** All time zones, searchable by city, continent or UTC offset. */
function TimeZoneField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { t } = useTranslation()
  const zones = useMemo(() => {
    const timeZones = listTimeZones(new Date())
    const offered = timeZones.some(({ name }) => name === value)
      ? timeZones
      : [describe(value, new Date()), ...timeZones]
    return offered.map(({ name, label }) => ({ value: name, label }))
  }, [value])
  return (
    <div className={styles.zone}>
      <ComboBox label={t('hours.zone')} options={zones} value={value} onChange={(name) => name && onChange(name)} />
    </div>
  )
}
