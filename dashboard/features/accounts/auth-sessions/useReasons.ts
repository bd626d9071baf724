import { useTranslation } from 'react-i18next'
import { PASSWORD_MIN_LENGTH } from '#contract/accounts/auth-sessions.ts'
import type { Reason } from './auth-checks.ts'

/** The message for an invalid field. */
export function useReasons(): (reason: Reason) => string {
  const { t } = useTranslation()
  return (reason) => t(`auth.wrong.${reason}`, { least: PASSWORD_MIN_LENGTH })
}
