import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'
import { FormError } from './FormError.tsx'

interface FormDialogProps {
  title: string
  open: boolean
  close: () => void
  cancelLabel: string
  saveLabel: string
  saving: boolean
  /** What Save does cannot be taken back. */
  danger?: boolean
  /** Why the form was not taken, in red below it. */
  error: string | undefined
  submit: (event: FormEvent) => void
  /** Fields, one below the other. */
  children: ReactNode
}

/** A window with a small form, Cancel and Save. It stays open while something is wrong. */
export function FormDialog({ title, open, close, cancelLabel, saveLabel, saving, ...rest }: FormDialogProps) {
  const form = useId()
  const { error, submit, children, danger = false } = rest
  return (
    <Dialog
      title={title}
      open={open}
      close={close}
      footer={
        <>
          <Button onClick={close}>{cancelLabel}</Button>
          <Button variant="primary" type="submit" form={form} danger={danger} loading={saving}>
            {saveLabel}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit} noValidate>
        {children}
        <FormError text={error} />
      </form>
    </Dialog>
  )
}
