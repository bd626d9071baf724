import { Input } from 'antd'
import { useId } from 'react'
import styles from './fields.module.css'

interface TextFieldProps {
  label: string
  /** What it does, or what a change needs before it shows. */
  hint?: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  long?: boolean
  placeholder?: string
}

/** A labelled text of one line, or of several. */
export function TextField({ label, hint, value, onChange, onBlur, long, placeholder }: TextFieldProps) {
  const id = useId()
  const shared = {
    id,
    value,
    placeholder,
    onBlur,
    dir: 'auto',
    'aria-describedby': hint ? `${id}-hint` : undefined,
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {long ? (
        <Input.TextArea
          {...shared}
          autoSize={{ minRows: 2, maxRows: 8 }}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Input {...shared} onChange={(event) => onChange(event.target.value)} />
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
