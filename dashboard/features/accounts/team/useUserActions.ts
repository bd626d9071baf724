import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type User, userName } from '#contract/accounts/users.ts'
import { GENERAL_ERROR, logError } from '../../../platform/http/errors.ts'
import { notify } from '../../../ui/notices.ts'
import { changeUser, type UserAction } from './queries.ts'

/** An admin's actions on teammates, with a notice of the result. */
export function useUserActions() {
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
