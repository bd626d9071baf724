import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { CATALOGUE, pathOf } from '../../../connections/integrations/catalogue.ts'
import { channelQuery } from '../bubble/queries.ts'
import styles from './Composer.module.css'

/** Above the text field: the customer's channel was disconnected or does not work, and what happens to a reply. */
export function ChannelLine({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const { data: problem } = useQuery(channelQuery(conversation.id))
  if (!problem) return null
  const entry = CATALOGUE.find(({ integration }) => integration === problem.integration)
  return (
    <div className={styles.line} role="alert">
      <Icon name="alert" size={18} />
      <span className={styles.words}>
        {problem.problem} {t(problem.waits ? 'composer.channel_waits' : 'composer.channel_missing')}
      </span>
      {entry && me.role === 'admin' && (
        <Link className={styles.link} to={pathOf(entry, problem.inbox_id ?? undefined)}>
          {t('composer.channel_open')}
        </Link>
      )}
    </div>
  )
}
