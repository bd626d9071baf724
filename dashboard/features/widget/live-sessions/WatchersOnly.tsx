import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useMayWatch } from './queries.ts'

/** A page for those who may watch sessions. Others who open its address are told why they cannot. */
export function WatchersOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  if (useMayWatch()) return children
  return (
    <main className="fill column" style={{ flex: 1 }}>
      <EmptyState
        isPage
        drawing="rest"
        title={t('sessions.not_allowed')}
        text={t('sessions.not_allowed_text')}
        action={<ButtonLink to="/conversations/all">{t('go_to_inbox')}</ButtonLink>}
      />
    </main>
  )
}
