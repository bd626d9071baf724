import type { Config } from '../../../config.ts'

/**
 * Settings that the dashboard needs before its first call, as a script file: its content security policy allows no
 * inline script. Names are those of Papercups' page. `isNew`: there is no account yet.
 */
export function browserEnvironment(config: Config, { isNew = false } = {}): string {
  const environment: Record<string, unknown> = {
    REACT_APP_URL: config.baseUrl,
    REACT_APP_DEBUG_MODE_ENABLED: flag(config.debug),
    REACT_APP_EU_EDITION: flag(config.euEdition),
    REACT_APP_STORYTIME_ENABLED: flag(config.storytime),
    REACT_APP_USER_INVITATION_EMAIL_ENABLED: flag(config.userInvitationEmail),
    REACT_APP_FILE_UPLOADS_ENABLED: uploads(config.fileUploads),
    PARLEY_OIDC_NAME: config.oidcIssuer && config.oidcClientId ? config.oidcName : null,
    PARLEY_MAIL_ENABLED: flag(!!config.smtpUrl),
    PARLEY_BILLING_ENABLED: flag(config.billing),
    REACT_APP_STRIPE_PUBLIC_KEY: config.billing ? (config.stripePublicKey ?? null) : null,
    PARLEY_STRIPE_JS_URL: config.billing ? config.stripeJsUrl : null,
    PARLEY_ALTERNATE_PRICING: flag(config.billing && config.alternatePricing),
    PARLEY_SALES_EMAIL: config.billing ? (config.salesEmail ?? null) : null,
    PARLEY_MESSAGE_LABELS: config.messageLabels ?? null,
    PARLEY_WIDGET_LANGUAGE: config.widgetLanguage ?? null,
    PARLEY_SUPPORT_CHAT: supportChat(config),
    PARLEY_REGISTRATION:
      config.registration === 'open' || (config.registration === 'first' && isNew) ? 'open' : 'invite',
    PARLEY_IS_NEW: flag(isNew),
  }
  return `window.__ENV__ = ${JSON.stringify(environment).replaceAll('<', '\\u003c')};\n`
}

function flag(on: boolean): string {
  return on ? '1' : '0'
}

/** The chat in which the dashboard's users get help; null if none is set up. */
function supportChat({ supportChat, supportChatToken, supportChatInbox, supportChatUrl }: Config) {
  if (!supportChat || !supportChatToken) return null
  return { token: supportChatToken, inbox: supportChatInbox ?? null, base: supportOrigin(supportChatUrl) }
}

/** The origin of the help chat's server; null if it is this one. */
export function supportOrigin(address: string | undefined): string | null {
  return address ? new URL(address).origin : null
}

function uploads(allowed: Config['fileUploads']): string {
  if (allowed === 'all') return '1'
  return Array.isArray(allowed) ? allowed.join(',') : '0'
}
