import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import styles from './Input.module.css'
import type { IconName } from './icon-paths.ts'

type InputProps = Pick<
  ComponentProps<'input'>,
  | 'autoComplete'
  | 'autoFocus'
  | 'dir'
  | 'disabled'
  | 'inputMode'
  | 'maxLength'
  | 'min'
  | 'name'
  | 'onBlur'
  | 'onFocus'
  | 'onKeyDown'
  | 'placeholder'
  | 'readOnly'
  | 'ref'
  | 'required'
  | 'spellCheck'
>

export interface TextFieldProps extends FieldProps, InputProps {
  type?: 'text' | 'email' | 'tel' | 'url' | 'search' | 'date' | 'datetime-local'
  value: string
  onChange: (value: string) => void
  /** Shown before the text. */
  icon?: IconName
  /** Characters before the value that are not typed, such as `/`. */
  prefix?: string
  large?: boolean
}

/** A labelled field for one line. */
export function TextField({ label, hideLabel, hint, error, ...box }: TextFieldProps) {
  const { type = 'text', value, onChange, icon, prefix, large, dir = 'auto', ...rest } = box
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(wiring) => (
        <span
          className={styles.box}
          data-large={large || undefined}
          data-invalid={wiring['aria-invalid'] || undefined}
          data-disabled={rest.disabled || undefined}
        >
          {icon && <Icon name={icon} size={16} />}
          {prefix && <span aria-hidden="true">{prefix}</span>}
          <input
            type={type}
            dir={dir}
            value={value}
            onChange={({ target }) => onChange(target.value)}
            {...wiring}
            {...rest}
          />
        </span>
      )}
    </Field>
  )
}
