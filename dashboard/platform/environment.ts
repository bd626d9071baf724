/** What the server tells this page about the installation, through `/env.js`. Most keys are those of the old wire. */
interface Environment {
  /** Where people open the installation. */
  REACT_APP_URL?: string | null
  REACT_APP_EU_EDITION?: string | null
  /** Whose chat answers 'Chat with us!'; null where nobody does. */
  PARLEY_SUPPORT_CHAT?: SupportChat | null
  REACT_APP_DEBUG_MODE_ENABLED?: string | null
  /** What the sign-in service is called, if there is one. */
  PARLEY_OIDC_NAME?: string | null
  REACT_APP_USER_INVITATION_EMAIL_ENABLED?: string | null
  PARLEY_BILLING_ENABLED?: string | null
  REACT_APP_STORYTIME_ENABLED?: string | null
  /** Whether the installation has a mail server that carries answers out. */
  PARLEY_MAIL_ENABLED?: string | null
  /** The language of the labels on messages; null where they follow the reader. */
  PARLEY_MESSAGE_LABELS?: string | null
  /** The language that snippets name at first; null where they leave it to the website. */
  PARLEY_WIDGET_LANGUAGE?: string | null
  REACT_APP_STRIPE_PUBLIC_KEY?: string | null
  /** Where the payment provider's script is. */
  PARLEY_STRIPE_JS_URL?: string | null
  PARLEY_ALTERNATE_PRICING?: string | null
  /** Who answers questions about the Enterprise plan. */
  PARLEY_SALES_EMAIL?: string | null
  /** Nobody has an account here yet. */
  PARLEY_IS_NEW?: string | null
  /** `open`: whoever comes may register a company; `invite`: only who was invited may join. */
  PARLEY_REGISTRATION?: string | null
  /** `1`, or the accounts that may attach files with commas between them. */
  REACT_APP_FILE_UPLOADS_ENABLED?: string | null
}

/** An account of this or another installation whose team helps the users of this one. */
export interface SupportChat {
  token: string
  inbox: string | null
  /** Where that installation answers; null for this one. */
  base: string | null
}

declare global {
  var __ENV__: Environment | undefined
}

const environment: Environment = globalThis.__ENV__ ?? {}

/** Asked for by the address the page was opened with; it holds until the page is left. */
const isDebugAsked = new URLSearchParams(globalThis.location?.search).get('debug') === '1'

/** In debug mode errors also show a notification. */
export function isDebugging(): boolean {
  return isDebugAsked || isOn(environment.REACT_APP_DEBUG_MODE_ENABLED)
}

/** What the button of the sign-in service says; nothing when there is none. */
export function signInService(): string | undefined {
  return environment.PARLEY_OIDC_NAME ?? undefined
}

/** Whether whoever comes now is the first one, who sets the installation up. */
export function isNewInstallation(): boolean {
  return isOn(environment.PARLEY_IS_NEW)
}

/** Whether anybody may register a new company here. */
export function mayRegister(): boolean {
  return environment.PARLEY_REGISTRATION !== 'invite'
}

/** Whether admins may invite by e-mail. */
export function mayInviteByEmail(): boolean {
  return isOn(environment.REACT_APP_USER_INVITATION_EMAIL_ENABLED)
}

/** Whether customers can be written to by mail. */
export function canMail(): boolean {
  return isOn(environment.PARLEY_MAIL_ENABLED)
}

export function isBillingEnabled(): boolean {
  return isOn(environment.PARLEY_BILLING_ENABLED)
}

/** Whether visitors can be watched. */
export function isStorytimeEnabled(): boolean {
  return isOn(environment.REACT_APP_STORYTIME_ENABLED)
}

/** Parts of the product that an installation may do without. */
export function enabledParts() {
  return { billing: isBillingEnabled(), storytime: isStorytimeEnabled() }
}

/** How the payment provider's script is reached, and this installation's key for it; nothing where no card can be given. */
export function cardProvider(): { script: string; key: string } | undefined {
  const { PARLEY_STRIPE_JS_URL: script, REACT_APP_STRIPE_PUBLIC_KEY: key } = environment
  return script && key?.startsWith('pk_') ? { script, key } : undefined
}

/** Which of the two price lists is shown. */
export function hasAlternatePricing(): boolean {
  return isOn(environment.PARLEY_ALTERNATE_PRICING)
}

/** Who answers questions about the Enterprise plan, if anybody does. */
export function salesEmail(): string | undefined {
  return environment.PARLEY_SALES_EMAIL ?? undefined
}

/** Where this installation is reached from outside. */
export function publicAddress(): string {
  return environment.REACT_APP_URL || globalThis.location.origin
}

/** The language that snippets of the widget name at first, where the operator chose one. */
export function widgetLanguage(): string | undefined {
  return environment.PARLEY_WIDGET_LANGUAGE ?? undefined
}

/** The language of the labels on messages, where the operator chose one. */
export function messageLabels(): string | undefined {
  return environment.PARLEY_MESSAGE_LABELS ?? undefined
}

export function isEuEdition(): boolean {
  return isOn(environment.REACT_APP_EU_EDITION)
}

/** Whose chat helps the users of this installation, if anybody's. */
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
