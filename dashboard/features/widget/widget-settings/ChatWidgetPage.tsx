import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Navigate, useParams } from 'react-router'
import { inboxesQuery } from '../inboxes/queries.ts'
import { SettingsPlaceholder } from './SettingsPlaceholder.tsx'
import { useWidgetSettings } from './useWidgetSettings.ts'
import { WidgetSettingsScreen } from './WidgetSettingsScreen.tsx'

/** The settings of an inbox's chat window, inside the signed-in frame. */
export function ChatWidgetPage() {
  const { inbox_id = '' } = useParams()
  return <Opened key={inbox_id} inbox_id={inbox_id} />
}

/** The old address of the settings leads to the primary inbox. */
export function PrimaryChatWidgetPage() {
  const { data: inboxes, error, refetch } = useQuery(inboxesQuery)
  const primary = inboxes?.find(({ is_primary }) => is_primary)
  if (primary) return <Navigate to={`/inboxes/${primary.id}/chat-widget`} replace />
  return <SettingsPlaceholder {...(error && { failure: error.message })} retry={refetch} />
}

function Opened({ inbox_id }: { inbox_id: string }) {
  const { t } = useTranslation()
  const { loaded, error, retry } = useWidgetSettings(inbox_id)
  if (loaded) return <WidgetSettingsScreen {...loaded} />
  return <SettingsPlaceholder {...(error && { failure: error.message || t('inboxes.unknown_error') })} retry={retry} />
}
