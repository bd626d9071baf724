import { useTranslation } from 'react-i18next'
import type { VisitedSession } from '#contract/widget/live-sessions.ts'
import { useVisitCheck } from '../../../platform/useVisitCheck.ts'
import { CheckLine } from '../../../ui/CheckLine.tsx'
import { newestSessionQuery } from './queries.ts'

/** Shows the last recorded page; on request, waits for the first one. */
export function SetupCheck() {
  const { t } = useTranslation()
  const { latest, isWaiting, isFound, start, stop } = useVisitCheck(
    newestSessionQuery,
    (session) => session?.updated_at ?? null,
  )
  return (
    <CheckLine
      badge={!isWaiting && isFound ? t('storytime.found') : undefined}
      check={isWaiting ? { label: t('cancel'), run: stop } : { label: t('storytime.check'), run: start }}
    >
      {isWaiting
        ? t('storytime.check_waiting')
        : latest
          ? t('storytime.last_page', { page: pageOf(latest) })
          : t('storytime.nothing_yet')}
    </CheckLine>
  )
}

function pageOf({ metadata }: VisitedSession): string {
  const { host, pathname } = metadata ?? {}
  return [host, pathname].filter((part) => typeof part === 'string').join('')
}
