import { useQuery } from '@tanstack/react-query'
import { inboxes } from '#contract/widget/inboxes.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { useCall } from '../../../platform/session/widget-page-session.ts'
import { inboxesQuery } from '../inboxes/queries.ts'
import { settingsKey } from './keys.ts'

/** An inbox and the settings of its chat window. */
export function useWidgetSettings(inbox_id: string) {
  const call = useCall()
  const settings = useQuery({
    queryKey: settingsKey(inbox_id),
    queryFn: async ({ signal }) => (await call(widgets.settings, { query: { inbox_id }, signal })).data,
    refetchOnMount: 'always',
  })
  const inbox = useQuery({
    queryKey: [...inboxesQuery.queryKey, inbox_id],
    queryFn: async ({ signal }) => (await call(inboxes.get, { params: { id: inbox_id }, signal })).data,
  })
  return {
    loaded: settings.data && inbox.data && { settings: settings.data, inbox: inbox.data },
    error: inbox.error ?? settings.error,
    retry: () => Promise.all([settings.refetch(), inbox.refetch()]),
  }
}
