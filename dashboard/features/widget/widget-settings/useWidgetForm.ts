import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type WidgetSettings, widgets } from '#contract/widget/widgets.ts'
import type { SaveState } from '../../../platform/forms/autosave.ts'
import { useAutosave } from '../../../platform/forms/useAutosave.ts'
import { logError } from '../../../platform/http/errors.ts'
import { useCall } from '../../../platform/session/widget-page-session.ts'
import { readForm, type WidgetForm, writeForm } from './form.ts'
import { settingsKey } from './keys.ts'

export interface WidgetFormState {
  form: WidgetForm
  change: (changes: Partial<WidgetForm>) => void
  /** Saves pending changes at once. */
  flush: () => void
  state: SaveState
}

/**
 * The form over the saved settings. Unsaved edits override them, so that changes by others still appear in other
 * fields.
 */
export function useWidgetForm(settings: WidgetSettings): WidgetFormState {
  const call = useCall()
  const client = useQueryClient()
  const [edits, setEdits] = useState<Partial<WidgetForm>>({})
  // Defaults depend on other fields: the title contains the company's name.
  const form = { ...readForm({ ...settings, ...edits }), ...edits }
  const latest = useRef({ form, edits })
  latest.current = { form, edits }

  const { inbox_id } = settings
  const { state, schedule, flush } = useAutosave(async () => {
    const sent = latest.current
    const widget_settings = { ...writeForm(sent.form, settings.account), inbox_id }
    try {
      const { data } = await call(widgets.update, { body: { widget_settings }, keepalive: true })
      client.setQueryData(settingsKey(inbox_id), data)
      setEdits((current) => without(current, sent.edits))
    } catch (error) {
      logError('Widget settings not saved', error)
      throw error
    }
  })

  return {
    form,
    state,
    change(changes) {
      setEdits((current) => ({ ...current, ...changes }))
      latest.current = {
        form: { ...latest.current.form, ...changes },
        edits: { ...latest.current.edits, ...changes },
      }
      schedule()
    },
    flush,
  }
}

/** The edits that have changed again since they were sent. */
function without(current: Partial<WidgetForm>, sent: Partial<WidgetForm>): Partial<WidgetForm> {
  return Object.fromEntries(
    Object.entries(current).filter(([field, value]) => Reflect.get(sent, field) !== value),
  ) as Partial<WidgetForm>
}
