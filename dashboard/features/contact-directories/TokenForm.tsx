import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../platform/http/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { notify } from '../../ui/notices.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import type { Directory } from '../directory-links/queries.ts'
import styles from '../integrations/Integrations.module.css'
import { connectWithToken } from './queries.ts'

/** Connects with a key that was made at the vendor: no app, and no public address. It is tried before it is kept. */
export function TokenForm({ vendor, name }: { vendor: Directory; name: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [token, setToken] = useState('')
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  async function submit(event: FormEvent) {
    event.preventDefault()
    setSaving(true)
    setError(undefined)
    await connectWithToken(client, vendor, token)
      .then(() => {
        setToken('')
        notify({ kind: 'success', title: t('directories.connected', { name }) })
      })
      .catch((failure) => setError(errorText(failure)))
    setSaving(false)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <PasswordField
        label={t(`directories.tokens.${vendor}`)}
        hint={t(`directories.token_hints.${vendor}`)}
        autoComplete="new-password"
        value={token}
        onChange={setToken}
      />
      <FormError text={error} />
      <div className={styles.row}>
        <Button type="submit" loading={isSaving} disabled={!token.trim()}>
          {t('directories.use_token')}
        </Button>
      </div>
    </form>
  )
}
