import type { ComponentProps, CSSProperties } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import styles from './Input.module.css'

interface TextAreaProps
  extends FieldProps,
    Pick<ComponentProps<'textarea'>, 'autoFocus' | 'disabled' | 'maxLength' | 'onBlur' | 'placeholder' | 'ref'> {
  /** The initial number of rows. */
  rows?: number
  value: string
  onChange: (value: string) => void
}

/** A labelled field for several lines. It grows with its text, then scrolls. */
export function TextArea({ label, hideLabel, hint, error, rows = 2, value, onChange, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(wiring) => (
        <textarea
          className={styles.box}
          dir="auto"
          rows={rows}
          style={{ '--rows': rows } as CSSProperties}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          {...wiring}
          {...rest}
        />
      )}
    </Field>
  )
}
