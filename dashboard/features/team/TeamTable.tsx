import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { type User, userName } from '#contract/users.ts'
import { dayTitle } from '../../times.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Table } from '../../ui/Table.tsx'
import { useTeam } from '../accounts/account.ts'
import styles from './TeamTable.module.css'
import { type Deal, useDeals } from './useDeals.ts'

/** People with their role and, for admins, what can be done. */
export function TeamTable({ label, users }: { label: string; users: User[] }) {
  const { t } = useTranslation()
  return (
    <Table label={label} columns={[t('team.name'), t('team.role'), t('team.since'), t('team.actions')]}>
      {users.map((user) => (
        <UserRow key={user.id} user={user} />
      ))}
    </Table>
  )
}

function UserRow({ user }: { user: User }) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const isMe = user.id === me.id
  const name = userName(user)
  return (
    <tr>
      <td>
        <span className={styles.person}>
          <Avatar id={user.id} name={name} photo={user.profile_photo_url} size={28} />
          <span>
            {name} {isMe && <Pill tone="accent">{t('team.you')}</Pill>}
            {name !== user.email && <span className={styles.email}>{user.email}</span>}
          </span>
        </span>
      </td>
      <td>{t(user.role === 'admin' ? 'team.admin' : 'team.member')}</td>
      <td>{dayTitle(user.created_at)}</td>
      <td>{me.role === 'admin' && !isMe && <UserMenu user={user} />}</td>
    </tr>
  )
}

function UserMenu({ user }: { user: User }) {
  const { t } = useTranslation()
  const run = useDeals()
  const deals: Deal[] = user.disabled_at
    ? ['enable', 'archive']
    : [user.role === 'admin' ? 'revoke_admin' : 'make_admin', 'disable']
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: deals.map((deal) => ({
          key: deal,
          label: t(`team.deals.${deal}`),
          danger: deal === 'disable' || deal === 'archive',
        })),
        onClick: ({ key }) => run(key as Deal, user),
      }}
    >
      <Button type="text" icon={<Icon name="more" size={18} />} aria-label={t('team.menu', { name: userName(user) })} />
    </Dropdown>
  )
}
