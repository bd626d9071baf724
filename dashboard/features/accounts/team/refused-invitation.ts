import type { TFunction } from 'i18next'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { cardProvider, isBillingEnabled } from '../../../platform/environment.ts'
import { call } from '../../../platform/http/api.ts'
import { GENERAL_ERROR, logError, showError } from '../../../platform/http/errors.ts'
import { ApiError } from '../../../platform/http/request.ts'
import { notify } from '../../../ui/notices.ts'

/** Where billing is on, 403 means that the plan has no seat left, and the notice links to the plans. */
export function notifyRefused(t: TFunction, error: unknown) {
  logError('Invitation not made', error)
  const message = error instanceof ApiError && error.status !== 0 ? error.message : ''
  const isPlan = !!message && isBillingEnabled() && error instanceof ApiError && error.status === 403
  const isUnverified = error instanceof ApiError && error.reason === 'unverified'
  notify({
    kind: 'error',
    key: 'invitation',
    title: t(isPlan ? 'team.no_seat' : 'team.not_invited'),
    text: message || (error instanceof Error ? error.message : GENERAL_ERROR),
    seconds: 10,
    ...(isPlan && {
      action: { label: t('team.upgrade'), run: () => location.assign(cardProvider() ? '/billing' : '/pricing') },
    }),
    ...(isUnverified && { action: { label: t('team.mail_link_again'), run: () => void mailLinkAgain(t) } }),
  })
}

/** Mails the caller a new link for confirming their own address. */
async function mailLinkAgain(t: TFunction): Promise<void> {
  try {
    await call(authSessions.sendVerification, {})
    notify({ kind: 'success', title: t('team.link_mailed') })
  } catch (error) {
    showError('Verification not mailed', error)
  }
}
