import type { WidgetSettings } from '#contract/widget/widgets.ts'
import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { settingsKey } from './keys.ts'

export const widgetSettingsEvents: FeatureEvents = {
  /** Somebody changed the settings of a chat window. */
  apply(client, { event, payload }) {
    if (event !== 'widget_settings:updated') return
    client.setQueryData<WidgetSettings>(
      settingsKey(payload.inbox_id),
      (settings) => settings && { ...settings, ...payload },
    )
  },
}
