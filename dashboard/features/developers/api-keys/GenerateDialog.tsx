import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey } from '#contract/developers/api-keys.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { generateKey } from './queries.ts'

const DAYS = { never: 0, month: 30, quarter: 90, year: 365 }
type Expiry = keyof typeof DAYS

interface DialogProps {
  open: boolean
  close: () => void
  generated: (key: ApiKey) => void
}

/** Asks for the purpose, permissions and expiry of a new key. */
export function GenerateDialog({ open, close, generated }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<ApiKey['scope']>('everything')
  const [expiry, setExpiry] = useState<Expiry>('never')
  const saving = useSaving(async () => {
    generated(await generateKey(client, { label, scope, expires_at: endAfter(DAYS[expiry]) }))
    close()
  })
  return (
    <FormDialog
      title={t('api_keys.generate')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <TextField
        label={t('api_keys.label')}
        hint={t('api_keys.label_hint')}
        autoFocus
        maxLength={100}
        value={label}
        onChange={setLabel}
      />
      <Choice
        legend={t('api_keys.scope')}
        options={(['everything', 'read'] as const).map((value) => ({ value, label: t(`api_keys.scopes.${value}`) }))}
        value={scope}
        onChange={setScope}
      />
      <Select
        label={t('api_keys.expires')}
        options={(['never', 'month', 'quarter', 'year'] as const).map((value) => ({
          value,
          label: t(`api_keys.expiry.${value}`),
        }))}
        value={expiry}
        onChange={setExpiry}
      />
    </FormDialog>
  )
}

function endAfter(days: number): string | null {
  return days > 0 ? new Date(Date.now() + days * 86_400_000).toISOString() : null
}
