import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { team } from '#contract/team.ts'
import { type User, userName } from '#contract/users.ts'
import { call } from '../../platform/http/api.ts'
import { GENERAL_ERROR, logError } from '../../platform/http/errors.ts'
import { notify } from '../../ui/notices.ts'
import { applyUserEvent } from '../accounts/account.ts'

/** What throws somebody out is asked first. */
export type ConfirmedUserAction = 'disable' | 'archive'
export type UserAction = 'make_admin' | 'revoke_admin' | 'enable' | ConfirmedUserAction

/** What an admin does to a teammate, and the notice that says how it went. */
export function useUserActions() {
  const client = useQueryClient()
  const { t } = useTranslation()
  return async (deal: UserAction, user: User) => {
    try {
      const { data } = await send(deal, user.id)
      applyUserEvent(client, { event: 'user:updated', payload: data })
      notify({
        kind: 'success',
        title: t(`team.done.${deal}`),
        text: t(`team.done_text.${deal}`, { name: userName(user) }),
      })
    } catch (error) {
      logError(`User not changed: ${deal}`, error)
      const text = (error instanceof Error && error.message) || GENERAL_ERROR
      notify({ kind: 'error', title: t(`team.failed.${deal}`), text, seconds: 10 })
    }
  }
}

function send(deal: UserAction, id: number) {
  const params = { id }
  if (deal === 'disable') return call(team.disable, { params })
  if (deal === 'enable') return call(team.enable, { params })
  if (deal === 'archive') return call(team.archive, { params })
  return call(team.setRole, { params, body: { role: deal === 'make_admin' ? 'admin' : 'user' } })
}
