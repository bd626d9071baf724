import { Field, type FieldProps } from './Field.tsx'
import styles from './Input.module.css'

interface SelectProps<Value extends string | number> extends FieldProps {
  options: readonly { value: Value; label: string }[]
  value: Value | undefined
  onChange: (value: Value) => void
  disabled?: boolean
  /** Marks the field as invalid; the message is shown elsewhere. */
  invalid?: boolean
  autoFocus?: boolean
  /** Shown while nothing is selected. */
  placeholder?: string
}

/**
 * A labelled native select, which works best on phones and for screen readers; its list is styled where browsers allow
 * it. For many options see ComboBox.
 */
export function Select<Value extends string | number>(props: SelectProps<Value>) {
  const { label, hideLabel, hint, error, options, value, onChange, placeholder, invalid = false, ...rest } = props
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(wiring) => (
        <select
          className={styles.box}
          value={value ?? ''}
          onChange={({ target }) => {
            const chosen = options[target.selectedIndex - (placeholder === undefined ? 0 : 1)]
            if (chosen) onChange(chosen.value)
          }}
          {...wiring}
          {...(invalid && { 'aria-invalid': true })}
          {...rest}
        >
          {placeholder !== undefined && (
            <option value="" disabled hidden>
              {placeholder}
            </option>
          )}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
