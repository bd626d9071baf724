import { Field, type FieldProps } from './Field.tsx'
import styles from './Input.module.css'

interface SelectProps<Value extends string | number> extends FieldProps {
  options: readonly { value: Value; label: string }[]
  value: Value | undefined
  onChange: (value: Value) => void
  disabled?: boolean
  /** What is wrong with it is said elsewhere, about several at once. */
  invalid?: boolean
  autoFocus?: boolean
  /** What stands there while nothing is chosen. */
  placeholder?: string
}

/**
 * One of a few, labelled. It is the browser's own, so that phones show their wheel and screen readers know it well;
 * where the browser lets us, its list looks like ours. For many choices see ComboBox.
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
