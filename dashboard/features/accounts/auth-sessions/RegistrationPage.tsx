import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { invitations } from '#contract/accounts/invitations.ts'
import { isNewInstallation } from '../../../platform/environment.ts'
import { focusInvalid } from '../../../platform/forms/focus-invalid.ts'
import { credentialsErrorText, logError } from '../../../platform/http/errors.ts'
import { ApiError, send } from '../../../platform/http/request.ts'
import { Button } from '../../../ui/Button.tsx'
import { DelayedFallback } from '../../../ui/DelayedFallback.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { Bone } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { AuthPage } from './AuthPage.tsx'
import { type Complaint, checkRegistration, type RegistrationField, safeRedirect } from './auth-checks.ts'
import { ServiceButton } from './SignInPage.tsx'
import { register } from './sign-in.ts'
import { useReasons } from './useReasons.ts'

const EMPTY = { company_name: '', full_name: '', email: '', password: '', password_confirmation: '' }

/** Creates an account, or joins one by invitation. The first account sets up the installation. */
export function RegistrationPage() {
  const { invite } = useParams()
  if (invite) return <InvitedPage invite={invite} />
  return isNewInstallation() ? <SetUpPage /> : <JoinPage />
}

/** Checks the invitation first, and shows which company it is for. */
function InvitedPage({ invite }: { invite: string }) {
  const { t } = useTranslation()
  const { data, error, isPending } = useQuery({
    queryKey: ['invitation', invite],
    queryFn: async ({ signal }) => (await send(invitations.check, { body: { invite_token: invite }, signal })).data,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isPending) {
    return (
      <AuthPage title={t('auth.get_started')}>
        <DelayedFallback>
          <Bone width="70%" />
        </DelayedFallback>
      </AuthPage>
    )
  }
  const unusable = error instanceof ApiError && UNUSABLE.find((reason) => reason === error.reason)
  // Other errors are shown by the form.
  if (!unusable) return <JoinPage invite={invite} company={data?.company_name} />
  return (
    <AuthPage title={t('auth.unusable')} footer={<Link to="/login">{t('auth.back_to_login')}</Link>}>
      <FormError text={t(`auth.failures.${unusable}`)} />
    </AuthPage>
  )
}

const UNUSABLE = ['invalid_invitation', 'expired_invitation', 'no_seat'] as const

function SetUpPage() {
  const { t } = useTranslation()
  // No second password field: the password can be shown, and the operator can reset it.
  const { field, sending, error, submit } = useRegistration(undefined, { confirmsPassword: false })
  return (
    <AuthPage title={t('auth.set_up')} text={t('auth.set_up_text')}>
      <form onSubmit={submit} noValidate>
        <TextField large label={t('auth.company')} autoComplete="organization" autoFocus {...field('company_name')} />
        <TextField large label={t('auth.your_name')} autoComplete="name" {...field('full_name')} />
        <TextField large label={t('auth.email')} type="email" autoComplete="email" {...field('email')} />
        <PasswordField large label={t('auth.password')} autoComplete="new-password" {...field('password')} />
        <FormError text={error} />
        <Button variant="primary" size="large" type="submit" block loading={sending}>
          {t('auth.set_up')}
        </Button>
      </form>
      <ServiceButton />
    </AuthPage>
  )
}

function JoinPage({ invite, company }: { invite?: string | undefined; company?: string | undefined }) {
  const { t } = useTranslation()
  const { search } = useLocation()
  const { field, sending, error, isTaken, submit } = useRegistration(invite)
  return (
    <AuthPage
      title={t('auth.get_started')}
      text={company && t('auth.join', { company })}
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

function useRegistration(invite: string | undefined, { confirmsPassword = true } = {}) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [fields, setFields] = useState({ ...EMPTY, email: params.get('email') ?? '' })
  const reasonText = useReasons()
  const [complaint, setComplaint] = useState<Complaint>()
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<string>()
  const [isTaken, setTaken] = useState(false)
  const complete = (values: typeof EMPTY) =>
    confirmsPassword ? values : { ...values, password_confirmation: values.password }
  const check = (values = fields) => checkRegistration(complete(values), !!invite)

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
      await register(complete(fields), invite)
      const next = safeRedirect(params.get('redirect'), '/getting-started')
      // The page was loaded with the information that the installation has no account yet, which is no longer true.
      if (isNewInstallation()) location.replace(next)
      else navigate(next, { replace: true })
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
      // An error disappears once its field is corrected.
      if (complaint?.field === name) setComplaint(check(next))
    },
    // Errors are shown from the first attempt to submit, not before.
    onBlur: () => wasSubmitted && setComplaint(check()),
    error: complaint?.field === name ? reasonText(complaint.reason) : undefined,
  })
  return { field, sending, error, isTaken, submit }
}
