import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { send } from '../../../platform/http/request.ts'
import { Bone } from '../../../ui/Skeleton.tsx'
import { AuthPage } from './AuthPage.tsx'

/** The target of the link in the verification mail. */
export function VerifyPage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const token = params.get('token')
  const verified = useQuery({
    queryKey: ['verification', token],
    queryFn: async () => (await send(authSessions.verifyEmail, { body: { token: token ?? '' } })).data.success,
    enabled: !!token,
    // The token works once, so a retry would turn a success into a failure.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const footer = <Link to="/conversations">{t('go_to_inbox')}</Link>
  if (token && verified.isPending) {
    return (
      <AuthPage title={t('auth.verifying')} footer={footer}>
        <Bone width="70%" />
      </AuthPage>
    )
  }
  const isVerified = !!verified.data
  return (
    <AuthPage title={t(isVerified ? 'auth.verified' : 'auth.not_verified')} footer={footer}>
      <p role="status">{t(isVerified ? 'auth.verified_text' : 'auth.not_verified_text')}</p>
    </AuthPage>
  )
}
