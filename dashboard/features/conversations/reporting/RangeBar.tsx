import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Reporting.module.css'
import { PRESETS, type Range } from './range.ts'
import type { ReportSettings } from './useReportSettings.ts'

/** Chooses a preset period or two dates. */
export function RangeBar({ settings: { preset, question, set } }: { settings: ReportSettings }) {
  const { t } = useTranslation()
  const { from, to } = question
  const [typed, setTyped] = useState<Range>({ from, to })
  useEffect(() => setTyped({ from, to }), [from, to])
  const isWrong = typed.from > typed.to
  function type(changes: Partial<Range>) {
    const next = { ...typed, ...changes }
    setTyped(next)
    // While a date is being typed, it may be missing or have an incomplete year.
    const isWhole = [next.from, next.to].every((day) => /^2\d{3}-/.test(day))
    if (isWhole && next.from <= next.to) set({ ...next, range: undefined })
  }
  return (
    <div className={styles.bar}>
      <label>
        {t('reporting.range.label')}
        <select
          value={preset}
          onChange={({ target }) => {
            if (target.value === 'custom') set({ from, to, range: undefined })
            else set({ range: target.value, from: undefined, to: undefined })
          }}
        >
          {PRESETS.map((presetName) => (
            <option key={presetName} value={presetName}>
              {t(`reporting.range.${presetName}`)}
            </option>
          ))}
          <option value="custom">{t('reporting.range.custom')}</option>
        </select>
      </label>
      <label>
        {t('reporting.range.from')}
        <input type="date" value={typed.from} onChange={({ target }) => type({ from: target.value })} />
      </label>
      <label>
        {t('reporting.range.to')}
        <input
          type="date"
          value={typed.to}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? 'reporting-range-wrong' : undefined}
          onChange={({ target }) => type({ to: target.value })}
        />
      </label>
      {isWrong && (
        <p id="reporting-range-wrong" role="alert" className={styles.wrong}>
          {t('reporting.range.wrong')}
        </p>
      )}
    </div>
  )
}
