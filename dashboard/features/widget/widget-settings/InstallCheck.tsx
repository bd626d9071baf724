import { queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inboxes } from '#contract/widget/inboxes.ts'
import { useCall } from '../../../platform/session/widget-page-session.ts'
import { useVisitCheck } from '../../../platform/useVisitCheck.ts'
import { CheckLine } from '../../../ui/CheckLine.tsx'
import { installationKey } from '../inboxes/installation.ts'

/** Where the widget was last opened, with a button that waits for it to be opened again. */
export function InstallCheck({ inbox_id }: { inbox_id: string }) {
  const { t } = useTranslation()
  const call = useCall()
  const installation = queryOptions({
    queryKey: installationKey(inbox_id),
    queryFn: async ({ signal }) => (await call(inboxes.installation, { params: { id: inbox_id }, signal })).data,
    refetchOnMount: 'always',
  })
  const { latest, isWaiting, isFound, start, stop } = useVisitCheck(installation, ({ last_seen_at }) => last_seen_at)
  return (
    <CheckLine
      badge={!isWaiting && isFound ? t('widget.check_found') : undefined}
      check={isWaiting ? { label: t('cancel'), run: stop } : { label: t('widget.check'), run: start }}
    >
      {isWaiting
        ? t('widget.check_waiting')
        : latest?.last_seen_at
          ? t('widget.installed_on', { host: `${latest.host ?? ''}${latest.pathname ?? ''}` })
          : t('widget.not_installed')}
    </CheckLine>
  )
}
