import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { displayName } from '#contract/customers/customers.ts'
import { useTypists } from '../../../../platform/realtime/typing.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import styles from './TypingLine.module.css'

/** Who else is typing. Of constant height, so that nothing moves. */
export function TypingLine({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const names = useTypists(conversation.id)
    .filter((typist) => typist.user_id !== me.id)
    .map((typist) =>
      typist.customer_id
        ? displayName(conversation.customer)
        : userName(account.users.find((user) => user.id === typist.user_id)),
    )
  return (
    <div className={styles.line}>
      {names.length > 0 && (
        <>
          <span className={styles.dots} aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {t('thread.typing', { names: names.join(', '), count: names.length })}
        </>
      )}
    </div>
  )
}
