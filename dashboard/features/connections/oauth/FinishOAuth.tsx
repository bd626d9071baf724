import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { vendorName } from '#contract/connections/kinds.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { notify } from '../../../ui/notices.ts'
import { Page } from '../../../ui/Page.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'
import { finishOAuth } from './queries.ts'
import { pageOf, rememberedRequest, startOAuth } from './start.ts'

/** Spellings in failure notices that differ from the vendor's own: clients expect these. */
const WORDED: Record<string, string> = { github: 'Github', hubspot: 'Hubspot' }

/** Whether the address is a return from a consent page. */
export function useIsReturn(): boolean {
  const [query] = useSearchParams()
  return query.has('code') || query.has('error') || query.has('installation_id')
}

/** Finishes a connection after consent, and opens its settings page. */
export function FinishOAuth() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const type = useLocation().pathname.split('/').at(-1) ?? ''
  const [query] = useSearchParams()
  const isBegun = useRef(false)
  useEffect(() => {
    // The code can only be used once.
    if (isBegun.current) return
    isBegun.current = true
    const go = (path: string) => navigate(path, { replace: true })
    // The connected app was given other repositories: there is nothing to finish.
    if (query.get('setup_action') === 'update') {
      void client.invalidateQueries({ queryKey: ['github-repositories'] })
      notify({ kind: 'success', title: t('oauth.app_updated') })
      go('/integrations/github')
      return
    }
    finishOAuth(client, query)
      .then((connected) => {
        if (connected.id === null) return startOAuth(connected)
        notify({ kind: 'success', title: t('oauth.connected') })
        return go(pageOf(connected))
      })
      .catch((error) => {
        const request = rememberedRequest(query.get('state'))
        const what = request?.integration ?? type
        const name = WORDED[what] ?? vendorName(what) ?? type
        notify({
          kind: 'error',
          title: t('oauth.failed', { name }),
          text: errorText(error),
          seconds: Number.POSITIVE_INFINITY,
        })
        return go(request ? pageOf(request) : type === 'profile' ? '/settings/profile' : '/integrations')
      })
  })
  return (
    <Page title={t('oauth.connecting')}>
      <TableSkeleton label={t('loading')} />
    </Page>
  )
}
