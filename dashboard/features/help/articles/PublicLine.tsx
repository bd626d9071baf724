import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Banner } from '../../../ui/Banner.tsx'
import { ButtonLink } from '../../../ui/Button.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { helpCenterQuery } from './queries.ts'

/** Where readers find the help center, or that nobody can read it yet. */
export function PublicLine() {
  const { t } = useTranslation()
  const { me } = useTeam()
  const { data: center } = useQuery(helpCenterQuery)
  if (!center) return null
  if (center.is_published) {
    return (
      <p>
        <a href={center.url} target="_blank" rel="noreferrer">
          {center.url}
        </a>
      </p>
    )
  }
  return (
    <Banner
      action={
        me.role === 'admin' && (
          <ButtonLink size="small" to="/help-center/settings">
            {t('titles.help_settings')}
          </ButtonLink>
        )
      }
    >
      {t('help.not_public')}
    </Banner>
  )
}
