import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useTeam } from './account.ts'

/** A page that only admins can use. Others who open its address are told why they cannot. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  if (me.role === 'admin') return children
  return (
    <main className="fill column" style={{ flex: 1 }}>
      <EmptyState
        isPage
        drawing="rest"
        title={t('admins_only.title')}
        text={t('admins_only.text', { company: account.company_name })}
        action={<ButtonLink to="/conversations/all">{t('go_to_inbox')}</ButtonLink>}
      />
    </main>
  )
}
