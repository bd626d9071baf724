import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'
import { FormError } from './FormError.tsx'
import type { FormGuard } from './form-guard.ts'

interface FormDialogProps {
  title: string
  open: boolean
  close: () => void
  cancelLabel: string
  saveLabel: string
  saving: boolean
  /** The width in pixels, if the usual one is too small. */
  size?: number
  /** For forms whose action cannot be undone. */
  danger?: boolean
  /** The error message, in red below the form. */
  error: string | undefined
  submit: (event: FormEvent) => void
  /** Asks before what was entered is lost, except in forms that only confirm an action. Null if the text is kept. */
  guard: FormGuard | null
  /** The fields. */
  children: ReactNode
}

/** A dialog with a small form, Cancel and Save. It stays open after an error. */
export function FormDialog({ title, open, close, cancelLabel, saveLabel, saving, size, ...rest }: FormDialogProps) {
  const form = useId()
  const { error, submit, guard, children, danger = false } = rest
  return (
    <Dialog
      title={title}
      open={open}
      close={close}
      {...(size && { size })}
      footer={
        <>
          <Button onClick={close}>{cancelLabel}</Button>
          <Button variant="primary" type="submit" form={form} danger={danger} loading={saving}>
            {saveLabel}
          </Button>
        </>
      }
    >
      <form id={form} ref={danger ? undefined : guard?.watch} className={styles.form} onSubmit={submit} noValidate>
        {children}
        <FormError text={error} />
      </form>
    </Dialog>
  )
}
