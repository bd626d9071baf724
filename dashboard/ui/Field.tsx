import { type InvalidEvent, type ReactNode, use, useId, useState } from 'react'
import styles from './Field.module.css'
import { KitWords } from './kit-words.ts'

/** What every field of a form has. */
export interface FieldProps {
  label: string
  /** The label is for screen readers alone: the place says it to everybody else. */
  hideLabel?: boolean | undefined
  /** What it does, or what it wants. */
  hint?: ReactNode
  /** What is wrong with what stands there. */
  error?: string | undefined
}

/** What ties a control to its label, hint and error. */
export interface FieldWiring {
  id: string
  'aria-label': string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A label, the control that `children` draws, and below it a hint and what is wrong. What the browser finds wrong stands there, too. */
export function Field({
  label,
  hideLabel,
  hint,
  error: refusal,
  children,
}: FieldProps & { children: (wiring: FieldWiring) => ReactNode }) {
  const id = useId()
  const words = use(KitWords)
  const [fault, setFault] = useState<string>()
  const error = refusal ?? fault
  // The browser's own bubble speaks its language and not ours, and is gone in a moment.
  function tell(event: InvalidEvent<HTMLElement>) {
    const control = event.target as unknown as Control
    event.preventDefault()
    setFault(control.validity.valueMissing ? words.field_missing : words.field_mistyped)
    if (control.form?.querySelector(':is(input, textarea, select):invalid') === control) control.focus()
  }
  const descriptions = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean)
  return (
    <div className={styles.field} onInvalidCapture={tell} onChange={() => setFault(undefined)}>
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

/** The hint and the error of a field with this id. */
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
