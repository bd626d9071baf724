import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../platform/forms/useSaving.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { InboxText } from './queries.ts'

interface DialogProps {
  title: string
  /** What stands in the fields at first, and again after saving. */
  start: InboxText
  save: (typed: InboxText) => Promise<void>
  open: boolean
  close: () => void
}

/** Name and description of an inbox. What was typed is sent as it is; the server's complaint shows under the form. */
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
