import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { userName } from '#contract/accounts/users.ts'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import { withoutMarks } from '#contract/text/plain.ts'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { pathOfView } from '../../features/conversations/conversations/views.ts'
import { ScheduledState } from '../../features/conversations/messages/scheduled/ScheduledState.tsx'
import { ScheduledTools } from '../../features/conversations/messages/scheduled/ScheduledTools.tsx'
import { Each } from '../../ui/Each.tsx'
import { Table } from '../../ui/Table.tsx'
import { Truncate } from '../../ui/Truncate.tsx'

/** Scheduled replies with their conversations, soonest first. */
export function ScheduledTable({ list }: { list: readonly ScheduledMessage[] }) {
  const { t } = useTranslation()
  const columns = [t('scheduled.reply'), t('scheduled.time'), t('scheduled.actions')] as const
  return (
    <Table label={t('scheduled.title')} columns={columns}>
      <Each name="scheduled message" items={list} keyOf={({ id }) => id}>
        {(scheduled) => <ScheduledRow scheduled={scheduled} />}
      </Each>
    </Table>
  )
}

function ScheduledRow({ scheduled }: { scheduled: ScheduledMessage }) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const navigate = useNavigate()
  const { body, files, user_id, conversation_id } = scheduled
  const author = account.users.find(({ id }) => id === user_id)
  const path = pathOfView({ bucket: 'all' }, conversation_id)
  return (
    <tr>
      <td>
        <Link to={path}>
          <Truncate text={withoutMarks(body) || files.map(({ filename }) => filename).join(', ')} lines={2} />
        </Link>
        {author && author.id !== me.id && t('scheduled.by', { name: userName(author) })}
      </td>
      <td>
        <ScheduledState scheduled={scheduled} />
      </td>
      <td>
        <ScheduledTools scheduled={scheduled} customer={undefined} onCancelled={() => void navigate(path)} />
      </td>
    </tr>
  )
}
