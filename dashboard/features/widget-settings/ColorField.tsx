import { Input } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { readHex } from './color.ts'
import styles from './fields.module.css'
import { PALETTE } from './form.ts'

interface ColorFieldProps {
  label: string
  value: string
  onChange: (color: string) => void
  onBlur?: () => void
}

/** One of ten colours, or any other by its number. */
export function ColorField({ label, value, onChange, onBlur }: ColorFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const hex = readHex(value)
  return (
    <fieldset className={styles.colors}>
      <legend>{label}</legend>
      <div className={styles.palette}>
        {PALETTE.map((color) => (
          <button
            key={color}
            type="button"
            className={styles.swatch}
            style={{ background: color }}
            aria-label={color}
            aria-pressed={hex === color}
            onClick={() => onChange(color)}
          />
        ))}
      </div>
      <div className={styles.hex}>
        <input
          type="color"
          aria-label={t('widget.pick_color')}
          value={hex ?? '#000000'}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
        <label htmlFor={id} className="unseen">
          {t('widget.hex')}
        </label>
        <Input
          id={id}
          value={value}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      </div>
    </fieldset>
  )
}
