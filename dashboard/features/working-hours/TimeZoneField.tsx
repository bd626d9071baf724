import { Select } from 'antd'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { describe, listTimeZones } from './time-zones.ts'
import styles from './WorkingHours.module.css'

/** All time zones, found by typing a city, a continent or a distance from UTC. */
export function TimeZoneField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { t } = useTranslation()
  const id = useId()
  const zones = useMemo(() => {
    const known = listTimeZones(new Date())
    return known.some(({ name }) => name === value) ? known : [describe(value, new Date()), ...known]
  }, [value])
  return (
    <div className={styles.zone}>
      <label htmlFor={id}>{t('hours.zone')}</label>
      <Select
        id={id}
        showSearch={{ optionFilterProp: 'label' }}
        value={value}
        onChange={onChange}
        options={zones.map(({ name, label }) => ({ value: name, label }))}
      />
    </div>
  )
}
