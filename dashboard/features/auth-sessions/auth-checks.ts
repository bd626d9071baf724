import { PASSWORD_MIN_LENGTH } from '#contract/auth-sessions.ts'

export interface RegistrationFields {
  company_name: string
  email: string
  password: string
  password_confirmation: string
}

export type RegistrationField = keyof RegistrationFields

export interface Complaint {
  field: RegistrationField
  text: string
}

/** The first thing wrong with a registration, in the order of the form; nothing when it may be sent. */
export function checkRegistration(fields: RegistrationFields, isInvited: boolean): Complaint | undefined {
  if (!isInvited && !fields.company_name.trim()) return { field: 'company_name', text: 'Company name is required' }
  if (!fields.email.trim()) return { field: 'email', text: 'Email is required' }
  return checkNewPassword(fields)
}

export interface PasswordComplaint {
  field: 'password' | 'password_confirmation'
  text: string
}

/** The first thing wrong with a new password; nothing when it may be sent. */
export function checkNewPassword({
  password,
  password_confirmation,
}: Pick<RegistrationFields, PasswordComplaint['field']>): PasswordComplaint | undefined {
  if (!password) return { field: 'password', text: 'Password is required' }
  if (password.length < PASSWORD_MIN_LENGTH) {
    return { field: 'password', text: `Password must be at least ${PASSWORD_MIN_LENGTH} characters` }
  }
  if (password !== password_confirmation) {
    return { field: 'password_confirmation', text: 'Password confirmation does not match' }
  }
  return undefined
}

/** A path of this site to go to after signing in. Anything that would lead elsewhere is ignored. */
export function safeRedirect(redirect: string | null, otherwise: string): string {
  return redirect && /^\/(?![/\\])/.test(redirect) ? redirect : otherwise
}
