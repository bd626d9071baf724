import { PASSWORD_MIN_LENGTH } from '#contract/accounts/auth-sessions.ts'

export interface RegistrationFields {
  company_name: string
  full_name?: string
  email: string
  password: string
  password_confirmation: string
}

export type RegistrationField = keyof RegistrationFields

/** The messages are in the locale files, under `auth.wrong`. */
export type Reason = 'no_company_name' | 'no_email' | 'no_password' | 'short_password' | 'other_password'

export interface Complaint {
  field: RegistrationField
  reason: Reason
}

/** The first error in a registration, in the order of the form; undefined if it is valid. */
export function checkRegistration(fields: RegistrationFields, isInvited: boolean): Complaint | undefined {
  if (!isInvited && !fields.company_name.trim()) return { field: 'company_name', reason: 'no_company_name' }
  if (!fields.email.trim()) return { field: 'email', reason: 'no_email' }
  return checkNewPassword(fields)
}

export interface PasswordComplaint {
  field: 'password' | 'password_confirmation'
  reason: Reason
}

/** The first error in a new password; undefined if it is valid. */
export function checkNewPassword({
  password,
  password_confirmation,
}: Pick<RegistrationFields, PasswordComplaint['field']>): PasswordComplaint | undefined {
  if (!password) return { field: 'password', reason: 'no_password' }
  if (password.length < PASSWORD_MIN_LENGTH) return { field: 'password', reason: 'short_password' }
  if (password !== password_confirmation) return { field: 'password_confirmation', reason: 'other_password' }
  return undefined
}

/** The path to open after signing in. Anything but a path of this site is ignored. */
export function safeRedirect(redirect: string | null, otherwise: string): string {
  return redirect && /^\/(?![/\\])/.test(redirect) ? redirect : otherwise
}
