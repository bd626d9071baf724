import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type AccountChanges, accounts } from '#contract/accounts.ts'
import { call } from '../../platform/http/api.ts'
import { showError } from '../../platform/http/errors.ts'
import { notify } from '../../ui/notices.ts'
import { accountQuery } from './account.ts'

/** Saves changes to the account. What is refused is told, and thrown, so that the form goes back to what is saved. */
export function useSaveAccount() {
  const client = useQueryClient()
  return async (account: AccountChanges) => {
    try {
      const { data } = await call(accounts.update, { body: { account } })
      client.setQueryData(accountQuery.queryKey, data)
    } catch (error) {
      showError('Account not saved', error)
      throw error
    }
  }
}

/** Edit, Save and Cancel. */
export function useEditWords() {
  const { t } = useTranslation()
  return { edit: t('edit'), save: t('save'), cancel: t('cancel') }
}

/** Says that a text was copied, or that it has to be done by hand. */
export function useCopied() {
  const { t } = useTranslation()
  return (done: boolean) =>
    done
      ? notify({ kind: 'success', title: t('conversation.copied') })
      : notify({ kind: 'info', title: t('account.copy_failed') })
}
