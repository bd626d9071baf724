import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findOverlap, type WorkingHours } from '#contract/widget/working-hours.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/Check.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { nextHours, WHOLE_DAY } from './day-minutes.ts'
import { HoursList } from './HoursList.tsx'
import { HoursRows, keyed } from './HoursRows.tsx'
import { useDayNames } from './useDayNames.ts'
import styles from './WorkingHours.module.css'

interface EditorProps {
  /** The inbox's own hours; null if those of the account apply. */
  hours: WorkingHours[] | null
  save: (hours: WorkingHours[] | null) => Promise<void>
  /** Whether the user may change them. */
  isAdmin: boolean
}

/** Shows and edits the working hours of an inbox. */
export function InboxHoursEditor({ hours, save, isAdmin }: EditorProps) {
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  if (isEditing) return <HoursForm hours={hours} save={save} close={() => setEditing(false)} />
  return (
    <div className={styles.shown}>
      <div className={styles.list}>{hours ? <HoursList hours={hours} /> : <p>{t('hours.as_company')}</p>}</div>
      {isAdmin && (
        <Button onClick={() => setEditing(true)}>
          {t('edit')}
          <span className="unseen"> {t('hours.title')}</span>
        </Button>
      )}
    </div>
  )
}

function HoursForm({ hours, save, close }: Omit<EditorProps, 'isAdmin'> & { close: () => void }) {
  const { t } = useTranslation()
  const dayName = useDayNames()
  const [hasOwn, setOwn] = useState(hours !== null)
  const [rows, setRows] = useState(() => keyed(hours ?? [WHOLE_DAY]))
  const working_hours = rows.map((row) => row.hours)
  const overlap = hasOwn ? findOverlap(working_hours) : undefined
  const { saving, error, submit, guard } = useSaving(async () => {
    if (overlap) return
    await save(hasOwn ? working_hours : null)
    close()
  })
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit}>
      <Check label={t('hours.as_company')} checked={!hasOwn} onChange={(isShared) => setOwn(!isShared)} />
      {hasOwn && <HoursRows rows={rows} write={setRows} overlapping={overlap?.indexes ?? []} />}
      <FormError text={overlap ? t('hours.overlap', { day: dayName(overlap.day) }) : error} />
      <div className={styles.buttons}>
        {hasOwn && (
          <Button onClick={() => setRows([...rows, ...keyed([nextHours(working_hours)])])}>{t('hours.add')}</Button>
        )}
        <span className={styles.gap} />
        <Button onClick={close}>{t('cancel')}</Button>
        <Button variant="primary" type="submit" loading={saving}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
