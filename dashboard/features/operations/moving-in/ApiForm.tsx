import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './MovingIn.module.css'
import { type ApiAccess, checkApi } from './queries.ts'

/** Names the server whose API is read, and starts the check. */
export function ApiForm({ product }: Pick<ApiAccess, 'product'>) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [address, setAddress] = useState('')
  const [account, setAccount] = useState('')
  const [token, setToken] = useState('')
  const { saving, error, submit, guard } = useSaving(() => checkApi(client, { product, address, account, token }))
  return (
    <form className={styles.form} ref={guard.watch} onSubmit={submit}>
      <TextField
        label={t('moving_in.address')}
        type="url"
        dir="ltr"
        required
        maxLength={300}
        placeholder="https://app.chatwoot.com"
        value={address}
        onChange={setAddress}
      />
      <TextField
        label={t('moving_in.account')}
        hint={t('moving_in.account_hint')}
        inputMode="numeric"
        maxLength={12}
        value={account}
        onChange={setAccount}
      />
      <PasswordField
        label={t('moving_in.token')}
        hint={t('moving_in.token_hint')}
        autoComplete="new-password"
        value={token}
        onChange={setToken}
      />
      <FormError text={error} />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" loading={saving}>
          {t('moving_in.check')}
        </Button>
      </div>
    </form>
  )
}
