import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import type { SavedView } from '../conversations/views.ts'
import { viewText } from './sentences.ts'
import { useViewChoices } from './useViewChoices.ts'

/** Nothing is in a view at the moment: says what it looks for. */
export function EmptyView({ view }: { view: SavedView }) {
  const { t } = useTranslation()
  const choices = useViewChoices()
  return (
    <EmptyState
      drawing="rest"
      title={t('saved_views.empty')}
      text={t('saved_views.looks_for', { conditions: viewText(t, choices, view.conditions) })}
    />
  )
}
