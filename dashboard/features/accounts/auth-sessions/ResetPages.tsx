import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { focusInvalid } from '../../../platform/forms/focus-invalid.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { ApiError, send } from '../../../platform/http/request.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './AuthPage.module.css'
import { AuthPage } from './AuthPage.tsx'
import { checkNewPassword, type PasswordComplaint } from './auth-checks.ts'
import { signIn } from './sign-in.ts'
import { useReasons } from './useReasons.ts'

const FAILED = 'Something went wrong! Try again in a few minutes.'

/** Requests a mail with a link to set a new password. */
export function RequestResetPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { saving, error, submit } = useSaving(async () => {
    setMissing(!email.trim())
    if (!email.trim()) return
    const { data } = await send(authSessions.requestReset, { body: { email } })
    if (!data.ok) throw new Error(FAILED)
    navigate('/reset-password-requested')
  }, refusalText)
  return (
    <AuthPage title={t('auth.reset_request_title')} footer={<BackToSignIn />}>
      <form
        noValidate
        onSubmit={(event) => {
          submit(event)
          focusInvalid(event.currentTarget)
        }}
      >
        <TextField
          large
          label={t('auth.email')}
          type="email"
          autoComplete="email"
          autoFocus
          error={isMissing && !email.trim() ? t('auth.wrong.no_email') : undefined}
          value={email}
          onChange={setEmail}
        />
        <FormError text={error && FAILED} />
        <Button variant="primary" size="large" type="submit" block loading={saving}>
          {t('auth.submit')}
        </Button>
      </form>
    </AuthPage>
  )
}

/** Shown once the mail was sent. */
export function ResetRequestedPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <AuthPage
      title={t('auth.check_email')}
      footer={
        <Button size="large" block onClick={() => navigate('/login')}>
          {t('auth.back_to_login')}
        </Button>
      }
    >
      <div className={styles.words}>
        <p>{t('auth.check_email_text')}</p>
        <p>{t('auth.check_spam')}</p>
      </div>
    </AuthPage>
  )
}

/** Sets a new password with the token from the mail, and signs in with it. */
export function ResetPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const token = params.get('token')
  const [fields, setFields] = useState({ password: '', password_confirmation: '' })
  const reasonText = useReasons()
  const [complaint, setComplaint] = useState<PasswordComplaint>()
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const { saving, error, submit } = useSaving(async () => {
    setWasSubmitted(true)
    const wrong = checkNewPassword(fields)
    setComplaint(wrong)
    if (wrong) return
    if (!token) throw new Error('Invalid reset token!')
    const { data } = await send(authSessions.resetPassword, { body: { ...fields, token } })
    const isSignedIn = await signIn(data.email, fields.password).then(() => true, isAskedForCode)
    navigate(isSignedIn ? '/conversations' : '/login', { replace: true })
  }, refusalText)
  const field = (name: keyof typeof fields) => ({
    autoComplete: 'new-password' as const,
    value: fields[name],
    onChange: (value: string) => setFields((before) => ({ ...before, [name]: value })),
    onBlur: () => wasSubmitted && setComplaint(checkNewPassword(fields)),
    error: complaint?.field === name ? reasonText(complaint.reason) : undefined,
  })
  return (
    <AuthPage title={t('auth.reset_title')} footer={<BackToSignIn />}>
      <form
        noValidate
        onSubmit={(event) => {
          submit(event)
          focusInvalid(event.currentTarget)
        }}
      >
        <PasswordField large label={t('auth.new_password')} autoFocus {...field('password')} />
        <PasswordField large label={t('auth.confirm_new_password')} {...field('password_confirmation')} />
        <FormError text={token ? error : 'Invalid reset token!'} />
        <Button variant="primary" size="large" type="submit" block loading={saving}>
          {t('auth.reset')}
        </Button>
      </form>
    </AuthPage>
  )
}

/** The password was set, but signing in needs a second factor, which the sign-in page asks for. */
function isAskedForCode(refusal: unknown): false {
  if (refusal instanceof ApiError && refusal.reason === 'two_factor_required') return false
  throw refusal
}

function BackToSignIn() {
  const { t } = useTranslation()
  return <Link to="/login">{t('auth.back_to_login')}</Link>
}

/** The server's message, or a general one. */
function refusalText(refusal: unknown): string {
  const isUnreached = refusal instanceof ApiError && refusal.status === 0
  return (!isUnreached && refusal instanceof Error && refusal.message) || FAILED
}
