import type { QueryClient } from '@tanstack/react-query'
import type { HeardEvent } from '#contract/events.ts'
import type { WidgetSettings } from '#contract/widgets.ts'

export function settingsKey(inbox_id: string) {
  return ['widget-settings', inbox_id]
}

/** Somebody changed how a chat window looks. */
export function applyWidgetSettingsEvent(client: QueryClient, event: HeardEvent) {
  if (event.event !== 'widget_settings:updated') return
  const settings = event.payload
  client.setQueryData<WidgetSettings>(settingsKey(settings.inbox_id), (known) => known && { ...known, ...settings })
}
