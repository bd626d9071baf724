import { type InvalidEvent, type ReactNode, use, useId, useState } from 'react'
import styles from './Field.module.css'
import { KitLabels } from './kit-labels.ts'

/** The common props of form fields. */
export interface FieldProps {
  label: string
  /** Shows the label to screen readers only, where its place makes it obvious. */
  hideLabel?: boolean | undefined
  /** Help text below the field. */
  hint?: ReactNode
  /** The error of the current value. */
  error?: string | undefined
}

/** Connects a control with its label, hint and error. */
export interface FieldWiring {
  id: string
  'aria-label': string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * A label, the control rendered by `children`, and below it a hint and errors, including those of the browser's
 * validation.
 */
export function Field({
  label,
  hideLabel,
  hint,
  error: refusal,
  children,
}: FieldProps & { children: (wiring: FieldWiring) => ReactNode }) {
  const id = useId()
  const labels = use(KitLabels)
  const [fault, setFault] = useState<string>()
  const error = refusal ?? fault
  // The browser's own bubble uses the browser's language and disappears quickly.
  function showFault(event: InvalidEvent<HTMLElement>) {
    const control = event.target as unknown as Control
    event.preventDefault()
    setFault(control.validity.valueMissing ? labels.field_missing : labels.field_mistyped)
    if (control.form?.querySelector(':is(input, textarea, select):invalid') === control) control.focus()
  }
  const descriptions = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean)
  return (
    <div className={styles.field} onInvalidCapture={showFault} onChange={() => setFault(undefined)}>
      {!hideLabel && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      {children({
        id,
        'aria-label': hideLabel ? label : undefined,
        'aria-describedby': descriptions.length > 0 ? descriptions.join(' ') : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

/** The hint and the error of the field with this id. */
function FieldNotes({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </>
  )
}
