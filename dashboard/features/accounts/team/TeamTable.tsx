import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type User, userName } from '#contract/accounts/users.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { GENERAL_ERROR, logError } from '../../../platform/http/errors.ts'
import { dayTitle } from '../../../platform/times.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { notify } from '../../../ui/notices.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { ShowMore, usePortion } from '../../../ui/Portion.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { useTeam } from '../accounts/account.ts'
import { type ConfirmedUserAction, changeUser, type UserAction } from './queries.ts'
import styles from './TeamTable.module.css'

/** Users with their role and, for admins, actions. */
export function TeamTable({ label, users }: { label: string; users: User[] }) {
  const { t } = useTranslation()
  const { shown, remaining, showMore } = usePortion(users)
  return (
    <>
      <Table label={label} columns={[t('team.name'), t('team.role'), t('team.since'), t('team.actions')]}>
        <Each name="user" items={shown} keyOf={(user) => user.id}>
          {(user) => <UserRow user={user} />}
        </Each>
      </Table>
      <ShowMore remaining={remaining} label={t('show_more', { count: remaining })} showMore={showMore} />
    </>
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
            <span className={styles.name}>
              <Truncate text={name} />
              {isMe && <Pill tone="accent">{t('team.you')}</Pill>}
            </span>
            {name !== user.email && <span className={styles.email}>{user.email}</span>}
          </span>
        </span>
      </td>
      <td>{t(user.role === 'admin' ? 'team.admin' : 'team.member')}</td>
      <td data-label={t('team.since')}>{dayTitle(user.created_at)}</td>
      <td>{me.role === 'admin' && !isMe && <UserMenu user={user} />}</td>
    </tr>
  )
}

const CONFIRMED: readonly UserAction[] = [
  'disable',
  'archive',
  'remove_two_factor',
  'remove_push_devices',
] satisfies ConfirmedUserAction[]
const needsConfirmation = (action: UserAction): action is ConfirmedUserAction => CONFIRMED.includes(action)

function UserMenu({ user }: { user: User }) {
  const { t } = useTranslation()
  const carryOut = useUserActions()
  const [confirming, setConfirming] = useState<{ action: ConfirmedUserAction; open: boolean }>()
  const actions: UserAction[] = user.disabled_at
    ? ['enable', 'archive']
    : [user.role === 'admin' ? 'revoke_admin' : 'make_admin', 'remove_two_factor', 'remove_push_devices', 'disable']
  return (
    <>
      <Menu
        items={actions.map((action) => ({
          key: action,
          label: t(`team.deals.${action}`),
          danger: needsConfirmation(action),
          onClick: () => (needsConfirmation(action) ? setConfirming({ action, open: true }) : carryOut(action, user)),
        }))}
      >
        {(trigger) => (
          <Button
            {...trigger}
            variant="text"
            icon={<Icon name="more" size={18} />}
            aria-label={t('team.menu', { name: userName(user) })}
          />
        )}
      </Menu>
      {confirming && (
        <Question
          name={userName(user)}
          {...confirming}
          run={() => carryOut(confirming.action, user)}
          close={() => setConfirming({ ...confirming, open: false })}
        />
      )}
    </>
  )
}

interface QuestionProps {
  name: string
  action: ConfirmedUserAction
  open: boolean
  run: () => Promise<void>
  close: () => void
}

function Question({ name, action, open, run, close }: QuestionProps) {
  const { t } = useTranslation()
  const saving = useSaving(async () => {
    await run()
    close()
  })
  return (
    <FormDialog
      open={open}
      danger
      title={t(`team.confirm.${action}`, { name })}
      close={close}
      cancelLabel={t('no')}
      saveLabel={t('yes')}
      {...saving}
    >
      <p>{t(`team.confirm_text.${action}`)}</p>
    </FormDialog>
  )
}

/** An admin's actions on teammates, with a notice of the result. */
function useUserActions() {
  const client = useQueryClient()
  const { t } = useTranslation()
  return async (action: UserAction, user: User) => {
    try {
      await changeUser(client, action, user.id)
      notify({
        kind: 'success',
        title: t(`team.done.${action}`),
        text: t(`team.done_text.${action}`, { name: userName(user) }),
      })
    } catch (error) {
      logError(`User not changed: ${action}`, error)
      const text = (error instanceof Error && error.message) || GENERAL_ERROR
      notify({ kind: 'error', title: t(`team.failed.${action}`), text, seconds: 10 })
    }
  }
}
