import { useTranslation } from 'react-i18next'
import { Pill } from '../../../ui/Pill.tsx'
import type { ArticleState } from './queries.ts'

const TONES = { draft: 'neutral', published: 'success', changed: 'warning', archived: 'neutral' } as const

/** What readers see of an article, with its language where there are several. */
export function StatePill({ state, language }: { state: ArticleState; language?: string | undefined }) {
  const { t } = useTranslation()
  return (
    <Pill tone={TONES[state]}>
      {language && `${language} · `}
      {t(`help.states.${state}`)}
    </Pill>
  )
}
