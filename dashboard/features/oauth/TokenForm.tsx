import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../platform/http/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { notify } from '../../ui/notices.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
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
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  async function submit(event: FormEvent) {
    event.preventDefault()
    setSaving(true)
    setError(undefined)
    await connect(token.trim())
      .then(() => {
        setToken('')
        notify({ kind: 'success', title: done })
      })
      .catch((failure) => setError(errorText(failure)))
    setSaving(false)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <PasswordField label={label} hint={hint} autoComplete="new-password" value={token} onChange={setToken} />
      <FormError text={error} />
      <div className={styles.row}>
        <Button type="submit" loading={isSaving} disabled={!token.trim()}>
          {t('oauth.use_token')}
        </Button>
      </div>
    </form>
  )
}
