import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation } from 'react-router'
import { isNewInstallation, signInService } from '../../../platform/environment.ts'
import { wasSignedOut } from '../../../platform/session/session.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './AuthPage.module.css'
import { AuthPage } from './AuthPage.tsx'
import { useReturn, useSignIn } from './useSignIn.ts'

export function SignInPage() {
  const { search } = useLocation()
  // A new installation has no accounts to sign in to.
  return isNewInstallation() ? <Navigate to={{ pathname: '/register', search }} replace /> : <SignIn />
}

function SignIn() {
  const { t } = useTranslation()
  const { search } = useLocation()
  const { isReturning, failure } = useReturn()
  const { fields, change, asksForCode, sending, error, submit } = useSignIn()
  return (
    <AuthPage
      title={t('auth.welcome_back')}
      footer={
        <>
          <span>
            {t('auth.no_account')} <Link to={{ pathname: '/register', search }}>{t('auth.sign_up')}</Link>
          </span>
          <Link to="/reset-password">{t('auth.forgot')}</Link>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        {asksForCode ? (
          <>
            <p>{t('auth.code_text')}</p>
            <TextField
              large
              key="code"
              label={t('auth.code')}
              autoComplete="one-time-code"
              autoFocus
              value={fields.code}
              onChange={(code) => change({ code })}
            />
          </>
        ) : (
          <>
            {wasSignedOut() && <p role="status">{t('auth.was_signed_out')}</p>}
            <TextField
              large
              label={t('auth.email')}
              type="email"
              autoComplete="email"
              autoFocus
              value={fields.email}
              onChange={(email) => change({ email })}
            />
            <PasswordField
              large
              label={t('auth.password')}
              autoComplete="current-password"
              value={fields.password}
              onChange={(password) => change({ password })}
            />
          </>
        )}
        <FormError text={error ?? failure} />
        <Button variant="primary" size="large" type="submit" block loading={sending || isReturning}>
          {t('auth.log_in')}
        </Button>
      </form>
      {!asksForCode && <ServiceButton />}
    </AuthPage>
  )
}

/** Starts sign-in with the identity provider, if one is set up. Passes an invitation on. */
export function ServiceButton({ invite }: { invite?: string | undefined }) {
  const { t } = useTranslation()
  const { search } = useLocation()
  const name = signInService()
  if (!name) return null
  const redirect = new URLSearchParams(search).get('redirect')
  const query = new URLSearchParams({ ...(invite && { invite_token: invite }), ...(redirect && { redirect }) })
  return (
    <ButtonLink size="large" block href={`/api/oidc/start?${query}`} className={styles.service}>
      {t('auth.log_in_with', { name })}
    </ButtonLink>
  )
}
