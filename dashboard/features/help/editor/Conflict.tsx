import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { ArticleTranslation } from '#contract/help/articles.ts'
import { messageTime } from '../../../platform/times.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import styles from './Editor.module.css'

interface ConflictProps {
  theirs: ArticleTranslation
  keepMine: () => Promise<void>
  takeTheirs: () => Promise<void>
}

/** Somebody else has saved meanwhile; the author decides which text stays. */
export function Conflict({ theirs, keepMine, takeTheirs }: ConflictProps) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const name = userName(account.users.find(({ id }) => id === theirs.updated_by) ?? null)
  return (
    <>
      <Banner
        tone="warning"
        action={
          <span className={styles.answers}>
            <Button size="small" onClick={() => void takeTheirs()}>
              {t('help.take_theirs')}
            </Button>
            <Button size="small" variant="primary" onClick={() => void keepMine()}>
              {t('help.keep_mine')}
            </Button>
          </span>
        }
      >
        {t('help.conflict', { name, when: messageTime(theirs.updated_at) })}
      </Banner>
      <details className={styles.theirs}>
        <summary>{t('help.their_text')}</summary>
        <pre dir="auto">{theirs.body}</pre>
      </details>
    </>
  )
}
