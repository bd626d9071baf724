import { Button, Modal } from 'antd'
import { type FormEvent, type ReactNode, useId } from 'react'
import styles from './FormDialog.module.css'
import { FormError } from './FormError.tsx'
import { width } from './tokens.ts'

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
  /** Labels and their inputs, by turns. */
  children: ReactNode
}

/** A window with a small form, Cancel and Save. It stays open while something is wrong. */
export function FormDialog({ title, open, close, cancelLabel, saveLabel, saving, ...rest }: FormDialogProps) {
  const form = useId()
  const { error, submit, children, danger = false } = rest
  return (
    <Modal
      title={title}
      open={open}
      width={width.dialog}
      onCancel={close}
      footer={[
        <Button key="cancel" onClick={close}>
          {cancelLabel}
        </Button>,
        <Button key="save" type="primary" htmlType="submit" form={form} danger={danger} loading={saving}>
          {saveLabel}
        </Button>,
      ]}
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        {children}
        <FormError text={error} />
      </form>
    </Modal>
  )
}
