import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhatsappAuthorization } from '#contract/integrations/whatsapp.ts'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { useSaving } from '../../platform/forms/useSaving.ts'
import { Button } from '../../ui/Button.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { notify } from '../../ui/notices.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { saveWhatsapp } from './queries.ts'

interface WhatsappFormProps {
  /** The primary inbox by default. */
  inbox_id: string | undefined
  whatsapp: WhatsappAuthorization | null
  /** Meta can call this server. */
  isReachable: boolean
}

/** The number's ids, secret and token, which are checked at Meta before anything is saved. */
export function WhatsappForm({ inbox_id, whatsapp, isReachable }: WhatsappFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [phone_number_id, setPhone] = useState(whatsapp?.phone_number_id ?? '')
  const [business_account_id, setAccount] = useState(whatsapp?.business_account_id ?? '')
  const [app_secret, setSecret] = useState(whatsapp?.app_secret ?? '')
  const [access_token, setToken] = useState(whatsapp?.access_token ?? '')
  const { saving, error, submit, guard } = useSaving(async () => {
    const details = { phone_number_id, business_account_id, app_secret, access_token }
    await saveWhatsapp(client, { ...details, inbox_id: inbox_id ?? null })
    notify({ kind: 'success', title: t('whatsapp.connected') })
  })
  const digits = { required: true, autoComplete: 'off', inputMode: 'numeric', dir: 'ltr' } as const
  return (
    <Block title={t(whatsapp ? 'whatsapp.change' : 'whatsapp.connect')} text={t('whatsapp.tried')}>
      <form ref={guard.watch} className={styles.form} onSubmit={submit}>
        <TextField
          label={t('whatsapp.phone_number_id')}
          hint={t('whatsapp.ids_hint')}
          value={phone_number_id}
          onChange={setPhone}
          {...digits}
        />
        <TextField
          label={t('whatsapp.business_account_id')}
          value={business_account_id}
          onChange={setAccount}
          {...digits}
        />
        <PasswordField
          label={t('whatsapp.app_secret')}
          hint={t('whatsapp.app_secret_hint')}
          autoComplete="new-password"
          value={app_secret}
          onChange={setSecret}
        />
        <PasswordField
          label={t('whatsapp.access_token')}
          hint={t('whatsapp.access_token_hint')}
          autoComplete="new-password"
          value={access_token}
          onChange={setToken}
        />
        <FormError text={error} />
        <div className={styles.row}>
          <Button variant="primary" type="submit" loading={saving} disabled={!isReachable}>
            {t(whatsapp ? 'integrations.update' : 'integrations.connect')}
          </Button>
        </div>
      </form>
    </Block>
  )
}
