import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { userName } from '#contract/accounts/users.ts'
import type { ConversationMove } from '#contract/conversations/merging.ts'
import { messageTime } from '../../../../platform/times.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Each } from '../../../../ui/Each.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import styles from './Merging.module.css'
import { movesQuery } from './queries.ts'
import { useUndoMove } from './useUndoMove.ts'

/** What was merged into a conversation and split from it, with a way back. Renders nothing if there is none. */
export function MoveLines({ conversation_id }: { conversation_id: string }) {
  const { data: moves } = useQuery(movesQuery(conversation_id))
  if (!moves?.length) return null
  return (
    <ul className={styles.moves}>
      <Each name="move" items={moves} keyOf={({ id }) => id}>
        {(move) => <MoveLine move={move} conversation_id={conversation_id} />}
      </Each>
    </ul>
  )
}

function MoveLine({ move, conversation_id }: { move: ConversationMove; conversation_id: string }) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const undo = useUndoMove(conversation_id)
  const user = account.users.find(({ id }) => id === move.user_id)
  const details = { name: user ? userName(user) : t('merging.somebody'), time: messageTime(move.created_at) }
  const isTarget = move.to_id === conversation_id
  const other = isTarget ? move.from_id : move.to_id
  return (
    <li className={styles.move}>
      <span>
        {move.kind === 'merge' ? (
          t('merging.merged', details)
        ) : (
          <Link to={`/conversations/all/${other}`}>
            {t(isTarget ? 'merging.split_from' : 'merging.split_off', details)}
          </Link>
        )}
      </span>
      {move.can_undo && (
        <Button variant="text" size="small" onClick={undo}>
          {t('undo')}
        </Button>
      )}
    </li>
  )
}
