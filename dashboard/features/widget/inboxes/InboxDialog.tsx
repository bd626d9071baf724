import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { InboxText } from './queries.ts'

interface DialogProps {
  title: string
  /** The initial values, restored after saving. */
  start: InboxText
  save: (typed: InboxText) => Promise<void>
  open: boolean
  close: () => void
}

/** Name and description of an inbox. The server validates them, and its message is shown below the form. */
export function InboxDialog({ title, start, save, open, close }: DialogProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(start)
  const saving = useSaving(async () => {
    await save(typed)
    setTyped(start)
  })
  return (
    <FormDialog title={title} open={open} close={close} cancelLabel={t('cancel')} saveLabel={t('save')} {...saving}>
      <TextField
        label={t('inboxes.name')}
        autoFocus
        value={typed.name}
        onChange={(name) => setTyped({ ...typed, name })}
      />
      <TextField
        label={t('inboxes.description')}
        value={typed.description}
        onChange={(description) => setTyped({ ...typed, description })}
      />
    </FormDialog>
  )
}
