import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useTabTitle } from '../ui/tab-title.ts'
import type { ScreenName } from './screens.ts'

/** Says plainly that a screen of the plan is not built yet. */
export function NotThereYet({ screen }: { screen: ScreenName }) {
  const { t } = useTranslation()
  useTabTitle(t(`screens.${screen}`))
  return (
    <main className="fill column" style={{ flex: 1 }}>
      <EmptyState
        isPage
        drawing="soon"
        title={t(`screens.${screen}`)}
        text={t('not_there_yet')}
        action={
          <Link to="/conversations/all">
            <Button>{t('go_to_inbox')}</Button>
          </Link>
        }
      />
    </main>
  )
}
