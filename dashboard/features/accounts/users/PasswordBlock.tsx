import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Button } from '../../../ui/Button.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { notify } from '../../../ui/notices.ts'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { checkNewPassword } from '../auth-sessions/auth-checks.ts'
import { useReasons } from '../auth-sessions/useReasons.ts'
import styles from './ProfilePage.module.css'
import { changePassword } from './queries.ts'
import { throwIfWrongPassword } from './wrong-password.ts'

const EMPTY = { current_password: '', password: '', password_confirmation: '' }

/** Changes the password, which needs the current one. */
export function PasswordBlock() {
  const { t } = useTranslation()
  const reasonText = useReasons()
  const [fields, setFields] = useState(EMPTY)
  const { saving, error, submit, guard } = useSaving(async () => {
    const wrong = checkNewPassword(fields)
    if (wrong) throw new Error(reasonText(wrong.reason))
    await changePassword(fields).catch(throwIfWrongPassword(t('profile.wrong_password')))
    setFields(EMPTY)
    notify({ kind: 'success', title: t('profile.password_changed'), text: t('profile.password_changed_text') })
  })
  const field = (name: keyof typeof EMPTY) => ({
    label: t(`profile.${name}`),
    value: fields[name],
    onChange: (value: string) => setFields((before) => ({ ...before, [name]: value })),
  })
  return (
    <Block title={t('profile.password_title')} text={t('profile.password_text')}>
      <form ref={guard.watch} className={styles.form} onSubmit={submit} noValidate>
        <PasswordField large autoComplete="current-password" {...field('current_password')} />
        <PasswordField large autoComplete="new-password" {...field('password')} />
        <PasswordField large autoComplete="new-password" {...field('password_confirmation')} />
        <FormError text={error} />
        <div>
          <Button type="submit" loading={saving}>
            {t('profile.change_password')}
          </Button>
        </div>
      </form>
    </Block>
  )
}
