import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type AccountChanges, accounts } from '#contract/accounts/accounts.ts'
import { call } from '../../../platform/http/api.ts'
import { showError } from '../../../platform/http/errors.ts'
import { notify } from '../../../ui/notices.ts'
import { accountQuery } from './account.ts'

/** Saves changes to the account. An error is shown and thrown, so that the form goes back to the saved values. */
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

/** The labels of edit blocks. */
export function useEditWords() {
  const { t } = useTranslation()
  return { edit: t('edit'), save: t('save'), cancel: t('cancel') }
}

/** Shows whether a text was copied to the clipboard. */
export function useCopied() {
  const { t } = useTranslation()
  return (done: boolean) =>
    done
      ? notify({ kind: 'success', title: t('conversation.copied') })
      : notify({ kind: 'info', title: t('account.copy_failed') })
}
