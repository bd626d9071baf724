import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { focusInvalid } from '../../platform/forms/focus-invalid.ts'
import { credentialsErrorText, logError } from '../../platform/http/errors.ts'
import { ApiError } from '../../platform/http/request.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { AuthPage } from './AuthPage.tsx'
import { type Complaint, checkRegistration, type RegistrationField, safeRedirect } from './auth-checks.ts'
import { ServiceButton } from './SignInPage.tsx'
import { register } from './sign-in.ts'
import { useReasons } from './useReasons.ts'

const EMPTY = { company_name: '', email: '', password: '', password_confirmation: '' }

/** Opens an account, or joins one by invitation. */
export function RegistrationPage() {
  const { t } = useTranslation()
  const { search } = useLocation()
  const { invite } = useParams()
  const { field, sending, error, isTaken, submit } = useRegistration(invite)

  return (
    <AuthPage
      title={t('auth.get_started')}
      footer={
        <span>
          {t('auth.has_account')} <Link to={{ pathname: '/login', search }}>{t('auth.log_in')}</Link>
        </span>
      }
    >
      <form onSubmit={submit} noValidate>
        {!invite && (
          <TextField large label={t('auth.company')} autoComplete="organization" autoFocus {...field('company_name')} />
        )}
        <TextField
          large
          label={t('auth.email')}
          type="email"
          autoComplete="email"
          autoFocus={!!invite}
          {...field('email')}
        />
        <PasswordField large label={t('auth.password')} autoComplete="new-password" {...field('password')} />
        <PasswordField
          large
          label={t('auth.confirm_password')}
          autoComplete="new-password"
          {...field('password_confirmation')}
        />
        {isTaken ? (
          <FormError text={t('auth.email_taken')}>
            <Link to={{ pathname: '/login', search }}>{t('auth.log_in_instead')}</Link>
          </FormError>
        ) : (
          <FormError text={error} />
        )}
        <Button variant="primary" size="large" type="submit" block loading={sending}>
          {t('auth.register')}
        </Button>
      </form>
      <ServiceButton invite={invite} />
    </AuthPage>
  )
}

function useRegistration(invite: string | undefined) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [fields, setFields] = useState({ ...EMPTY, email: params.get('email') ?? '' })
  const say = useReasons()
  const [complaint, setComplaint] = useState<Complaint>()
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<string>()
  const [isTaken, setTaken] = useState(false)
  const check = () => checkRegistration(fields, !!invite)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const wrong = check()
    setWasSubmitted(true)
    setComplaint(wrong)
    setError(undefined)
    setTaken(false)
    if (wrong) focusInvalid(event.currentTarget as HTMLElement)
    if (wrong || sending) return
    setSending(true)
    try {
      await register(fields, invite)
      navigate(safeRedirect(params.get('redirect'), '/getting-started'), { replace: true })
    } catch (refusal) {
      logError('Registration refused', refusal)
      setTaken(refusal instanceof ApiError && refusal.reason === 'email_taken')
      setError(credentialsErrorText(refusal))
      setSending(false)
    }
  }

  const field = (name: RegistrationField) => ({
    value: fields[name],
    onChange(value: string) {
      const next = { ...fields, [name]: value }
      setFields(next)
      // What was complained of and is put right is complained of no longer.
      if (complaint?.field === name) setComplaint(checkRegistration(next, !!invite))
    },
    // Before the first attempt nobody is told what they have not finished yet.
    onBlur: () => wasSubmitted && setComplaint(check()),
    error: complaint?.field === name ? say(complaint.reason) : undefined,
  })
  return { field, sending, error, isTaken, submit }
}
