import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../platform/http/request.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import styles from './CardDialog.module.css'
import { onCard } from './card-messages.ts'
import { saveCard } from './queries.ts'

interface CardDialogProps {
  open: boolean
  close: () => void
  /** Continues once the card is saved. */
  saved: () => Promise<void>
}

/** Wide enough for the bank's confirmation dialog. */
const WIDTH = 520

/**
 * Asks for a card. The payment provider's script runs in a frame, because only that page's policy allows it. The frame
 * returns the id of the card.
 */
export function CardDialog({ open, close, saved }: CardDialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const save = useEffectEvent(async (id: string) => {
    if (isSaving) return
    setSaving(true)
    setFailure(undefined)
    try {
      await saveCard(client, id)
      await saved()
      close()
    } catch (error) {
      const message = error instanceof ApiError && error.status !== 0 ? error.message : ''
      setFailure(message || t('billing.card_form.failed'))
    }
    setSaving(false)
  })
  useEffect(() => (open ? onCard((id) => void save(id)) : undefined), [open])
  return (
    <Dialog title={t('billing.card_form.title')} open={open} close={close} size={WIDTH}>
      <FormError text={failure} />
      <iframe className={styles.frame} src="/settings/billing/card" title={t('billing.card_form.frame')} />
      <p role="status">{isSaving && t('billing.card_form.saving')}</p>
    </Dialog>
  )
}
