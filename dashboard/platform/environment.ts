/**
 * Information about the installation, which the server sends with `/env.js`. Most names are those of Papercups.
 */
interface Environment {
  /** The public address of the installation. */
  REACT_APP_URL?: string | null
  REACT_APP_EU_EDITION?: string | null
  /** The support chat behind 'Chat with us!'; null if there is none. */
  PARLEY_SUPPORT_CHAT?: SupportChat | null
  REACT_APP_DEBUG_MODE_ENABLED?: string | null
  /** The name of the identity provider, if one is set up. */
  PARLEY_OIDC_NAME?: string | null
  REACT_APP_USER_INVITATION_EMAIL_ENABLED?: string | null
  PARLEY_BILLING_ENABLED?: string | null
  REACT_APP_STORYTIME_ENABLED?: string | null
  /** Whether the installation has a mail server. */
  PARLEY_MAIL_ENABLED?: string | null
  /** The language of labels on messages; null to follow the reader. */
  PARLEY_MESSAGE_LABELS?: string | null
  /** The initial language of snippets; null to follow the website. */
  PARLEY_WIDGET_LANGUAGE?: string | null
  REACT_APP_STRIPE_PUBLIC_KEY?: string | null
  /** The address of the payment provider's script. */
  PARLEY_STRIPE_JS_URL?: string | null
  PARLEY_ALTERNATE_PRICING?: string | null
  /** The contact for the Enterprise plan. */
  PARLEY_SALES_EMAIL?: string | null
  /** There is no account yet. */
  PARLEY_IS_NEW?: string | null
  /** `open`: anybody may register a company; `invite`: joining needs an invitation. */
  PARLEY_REGISTRATION?: string | null
  /** `1`, or a comma-separated list of the accounts that may attach files. */
  REACT_APP_FILE_UPLOADS_ENABLED?: string | null
}

/** The account whose team helps the users of this installation. */
export interface SupportChat {
  token: string
  inbox: string | null
  /** The address of that installation; null for this one. */
  base: string | null
}

declare global {
  var __ENV__: Environment | undefined
}

const environment: Environment = globalThis.__ENV__ ?? {}

/** From the page's address, until the page is left. */
const isDebugRequested = new URLSearchParams(globalThis.location?.search).get('debug') === '1'

/** In debug mode, logged errors are also shown as notices. */
export function isDebugging(): boolean {
  return isDebugRequested || isOn(environment.REACT_APP_DEBUG_MODE_ENABLED)
}

/** The name of the identity provider; undefined if there is none. */
export function signInService(): string | undefined {
  return environment.PARLEY_OIDC_NAME ?? undefined
}

/** Whether there is no account yet, so that the next user sets up the installation. */
export function isNewInstallation(): boolean {
  return isOn(environment.PARLEY_IS_NEW)
}

/** Whether anybody may register a new company. */
export function mayRegister(): boolean {
  return environment.PARLEY_REGISTRATION !== 'invite'
}

/** Whether admins may invite by email. */
export function mayInviteByEmail(): boolean {
  return isOn(environment.REACT_APP_USER_INVITATION_EMAIL_ENABLED)
}

/** Whether emails to customers can be sent. */
export function canMail(): boolean {
  return isOn(environment.PARLEY_MAIL_ENABLED)
}

export function isBillingEnabled(): boolean {
  return isOn(environment.PARLEY_BILLING_ENABLED)
}

/** Whether live sessions are enabled. */
export function isStorytimeEnabled(): boolean {
  return isOn(environment.REACT_APP_STORYTIME_ENABLED)
}

/** The optional parts of the product that are enabled. */
export function enabledParts() {
  return { billing: isBillingEnabled(), storytime: isStorytimeEnabled() }
}

/** The payment provider's script and public key; undefined if cards cannot be added. */
export function cardProvider(): { script: string; key: string } | undefined {
  const { PARLEY_STRIPE_JS_URL: script, REACT_APP_STRIPE_PUBLIC_KEY: key } = environment
  return script && key?.startsWith('pk_') ? { script, key } : undefined
}

/** Whether the alternative price list is shown. */
export function hasAlternatePricing(): boolean {
  return isOn(environment.PARLEY_ALTERNATE_PRICING)
}

/** The contact for the Enterprise plan, if any. */
export function salesEmail(): string | undefined {
  return environment.PARLEY_SALES_EMAIL ?? undefined
}

/** The public address of this installation. */
export function publicAddress(): string {
  return environment.REACT_APP_URL || globalThis.location.origin
}

/** The initial language of snippets, if the operator chose one. */
export function widgetLanguage(): string | undefined {
  return environment.PARLEY_WIDGET_LANGUAGE ?? undefined
}

/** The language of labels on messages, if the operator chose one. */
export function messageLabels(): string | undefined {
  return environment.PARLEY_MESSAGE_LABELS ?? undefined
}

export function isEuEdition(): boolean {
  return isOn(environment.REACT_APP_EU_EDITION)
}

/** The support chat for users of this installation, if any. */
export function supportChat(): SupportChat | null {
  return environment.PARLEY_SUPPORT_CHAT ?? null
}

/** Whether this account may attach files. */
export function mayUpload(account_id: string, allowed = environment.REACT_APP_FILE_UPLOADS_ENABLED): boolean {
  return isOn(allowed) || !!allowed?.split(',').some((id) => id.trim() === account_id)
}

function isOn(flag: string | null | undefined): boolean {
  return flag === '1' || flag === 'true'
}
