import { Input } from 'antd'
import { type FocusEvent, useId } from 'react'
import styles from './Field.module.css'

interface FieldProps {
  label: string
  type?: 'text' | 'email' | 'password'
  value: string
  onChange: (value: string) => void
  onBlur?: (event: FocusEvent) => void
  autoComplete: string
  autoFocus?: boolean
  /** What is wrong with it. */
  error?: string | undefined
}

/** A labelled input with its own complaint below it. */
export function Field({ label, type = 'text', value, onChange, error, ...rest }: FieldProps) {
  const id = useId()
  const Box = type === 'password' ? Input.Password : Input
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Box
        id={id}
        size="large"
        value={value}
        status={error ? 'error' : ''}
        aria-invalid={!!error}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
        {...(type !== 'password' && { type })}
        {...rest}
      />
      {error && (
        <div id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </div>
      )}
    </div>
  )
}
