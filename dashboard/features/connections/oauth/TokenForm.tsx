import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { notify } from '../../../ui/notices.ts'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import styles from '../integrations/Integrations.module.css'

interface TokenFormProps {
  label: string
  hint: string
  /** The notice after success. */
  done: string
  /** Throws with the vendor's message. */
  connect: (token: string) => Promise<void>
}

/**
 * Connects with an access token created at the vendor, which needs no OAuth app and no public address. The server tests
 * it before it saves it.
 */
export function TokenForm({ label, hint, done, connect }: TokenFormProps) {
  const { t } = useTranslation()
  const [token, setToken] = useState('')
  const { saving, error, submit, guard } = useSaving(async () => {
    await connect(token.trim())
    setToken('')
    notify({ kind: 'success', title: done })
  })
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit}>
      <PasswordField label={label} hint={hint} autoComplete="new-password" value={token} onChange={setToken} />
      <FormError text={error} />
      <div className={styles.row}>
        <Button type="submit" loading={saving} disabled={!token.trim()}>
          {t('oauth.use_token')}
        </Button>
      </div>
    </form>
  )
}
