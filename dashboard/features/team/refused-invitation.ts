import type { TFunction } from 'i18next'
import { cardProvider, isBillingEnabled } from '../../platform/environment.ts'
import { GENERAL_ERROR, logError } from '../../platform/http/errors.ts'
import { ApiError } from '../../platform/http/request.ts'
import { notify } from '../../ui/notices.ts'

/** Where billing is on, 403 means that the plan has no seat left, and the notice links to the plans. */
export function notifyRefused(t: TFunction, error: unknown) {
  logError('Invitation not made', error)
  const message = error instanceof ApiError && error.status !== 0 ? error.message : ''
  const isPlan = !!message && isBillingEnabled() && error instanceof ApiError && error.status === 403
  notify({
    kind: 'error',
    key: 'invitation',
    title: t(isPlan ? 'team.no_seat' : 'team.not_invited'),
    text: message || (error instanceof Error ? error.message : GENERAL_ERROR),
    seconds: 10,
    ...(isPlan && {
      action: { label: t('team.upgrade'), run: () => location.assign(cardProvider() ? '/billing' : '/pricing') },
    }),
  })
}
