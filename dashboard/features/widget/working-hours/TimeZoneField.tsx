import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ComboBox } from '../../../ui/ComboBox.tsx'
import { describe, listTimeZones } from './time-zones.ts'
import styles from './WorkingHours.module.css'

/** All time zones, searchable by city, continent or UTC offset. */
export function TimeZoneField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { t } = useTranslation()
  const zones = useMemo(() => {
    const known = listTimeZones(new Date())
    const offered = known.some(({ name }) => name === value) ? known : [describe(value, new Date()), ...known]
    return offered.map(({ name, label }) => ({ value: name, label }))
  }, [value])
  return (
    <div className={styles.zone}>
      <ComboBox label={t('hours.zone')} options={zones} value={value} onChange={(name) => name && onChange(name)} />
    </div>
  )
}
