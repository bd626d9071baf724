import { useId } from 'react'
import styles from './Check.module.css'

interface CheckProps {
  label: string
  hint?: string | undefined
  checked: boolean
  disabled?: boolean | undefined
  onChange: (isChecked: boolean) => void
}

export function Check({ label, hint, checked, disabled, onChange }: CheckProps) {
  const id = useId()
  return (
    <div className={styles.check}>
      <label className={styles.label}>
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          aria-describedby={hint && id}
          onChange={({ target }) => onChange(target.checked)}
        />
        {label}
      </label>
      {hint && (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
