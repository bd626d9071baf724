import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { UNITS, type Unit, unitOf } from './sentences.ts'
import styles from './ViewConditionFields.module.css'

interface DurationProps {
  /** A number of minutes as text, or what is not one yet. */
  minutes: string
  onChange: (minutes: string) => void
}

/** A time as a number and a unit. */
export function DurationField({ minutes, onChange }: DurationProps) {
  const { t } = useTranslation()
  const [unit, setUnit] = useState<Unit>(unitOf(Number(minutes)))
  const number = minutes === '' ? '' : String(Number(minutes) / UNITS[unit])
  const change = (typed: string, next: Unit) => {
    if (/^\d{0,4}$/.test(typed)) onChange(typed && String(Number(typed) * UNITS[next]))
  }
  return (
    <div className={styles.duration}>
      <TextField
        label={t('saved_views.value')}
        hideLabel
        inputMode="numeric"
        value={number}
        onChange={(typed) => change(typed, unit)}
      />
      <Select
        label={t('saved_views.unit')}
        hideLabel
        options={(['minutes', 'hours', 'days'] as const).map((value) => ({
          value,
          label: t(`saved_views.units.${value}`),
        }))}
        value={unit}
        onChange={(next) => {
          setUnit(next)
          change(number, next)
        }}
      />
    </div>
  )
}
