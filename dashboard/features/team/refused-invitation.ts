import type { TFunction } from 'i18next'
import { cardProvider, isBillingEnabled } from '../../platform/environment.ts'
import { GENERAL_ERROR, logError } from '../../platform/http/errors.ts'
import { ApiError } from '../../platform/http/request.ts'
import { notify } from '../../ui/notices.ts'

/** Where plans are sold, what is forbidden is a seat beyond the plan, and then the notice says where to get one. */
export function tellRefusal(t: TFunction, error: unknown) {
  logError('Invitation not made', error)
  const said = error instanceof ApiError && error.status !== 0 ? error.message : ''
  const isPlan = !!said && isBillingEnabled() && error instanceof ApiError && error.status === 403
  notify({
    kind: 'error',
    key: 'invitation',
    title: t(isPlan ? 'team.no_seat' : 'team.not_invited'),
    text: said || (error instanceof Error ? error.message : GENERAL_ERROR),
    seconds: 10,
    ...(isPlan && {
      action: { label: t('team.upgrade'), run: () => location.assign(cardProvider() ? '/billing' : '/pricing') },
    }),
  })
}
