import { Button } from 'antd'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { credentialsErrorText, logError } from '../../errors.ts'
import { FormError } from '../../ui/FormError.tsx'
import { AuthPage } from './AuthPage.tsx'
import { safeRedirect } from './auth-checks.ts'
import { Field } from './Field.tsx'
import { signIn } from './sign-in.ts'

/** The way in, for those who have an account. */
export function SignInPage() {
  const { t } = useTranslation()
  const { search } = useLocation()
  const { email, setEmail, password, setPassword, sending, error, submit } = useSignIn()

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
        <Field
          label={t('auth.email')}
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={setEmail}
        />
        <Field
          label={t('auth.password')}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <FormError text={error} />
        <Button type="primary" size="large" htmlType="submit" block loading={sending}>
          {t('auth.log_in')}
        </Button>
      </form>
    </AuthPage>
  )
}

function useSignIn() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<string>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (sending) return
    setSending(true)
    setError(undefined)
    try {
      await signIn(email, password)
      navigate(safeRedirect(params.get('redirect'), '/conversations'), { replace: true })
    } catch (refusal) {
      logError('Sign-in refused', refusal)
      setError(credentialsErrorText(refusal))
      setSending(false)
    }
  }
  return { email, setEmail, password, setPassword, sending, error, submit }
}
