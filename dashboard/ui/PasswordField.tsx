import { type ComponentProps, use, useState } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import styles from './Input.module.css'
import { KitLabels } from './kit-labels.ts'

interface PasswordFieldProps extends FieldProps, Pick<ComponentProps<'input'>, 'autoFocus' | 'onBlur'> {
  autoComplete: 'current-password' | 'new-password'
  value: string
  onChange: (value: string) => void
  large?: boolean
}

/** A password field with a button that shows the password. */
export function PasswordField({ label, hideLabel, hint, error, value, onChange, large, ...rest }: PasswordFieldProps) {
  const labels = use(KitLabels)
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(wiring) => (
        <span className={styles.box} data-large={large || undefined} data-invalid={wiring['aria-invalid'] || undefined}>
          <input
            type={isShown ? 'text' : 'password'}
            value={value}
            spellCheck={false}
            onChange={({ target }) => onChange(target.value)}
            {...wiring}
            {...rest}
          />
          <button
            type="button"
            className={styles.tail}
            aria-label={labels.show_password}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            <Icon name={isShown ? 'eye' : 'eye-off'} size={18} />
          </button>
        </span>
      )}
    </Field>
  )
}
