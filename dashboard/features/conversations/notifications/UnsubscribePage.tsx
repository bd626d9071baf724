import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { notifications } from '#contract/conversations/notifications.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { isTemporary, send } from '../../../platform/http/request.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'

/**
 * The target of the unsubscribe link in emails to customers. A button confirms, because mail scanners open every link.
 */
export function UnsubscribePage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const leave = useMutation({
    mutationFn: () => send(notifications.unsubscribe, { params: { token: params.get('token') ?? '' } }),
  })
  if (leave.isError && isTemporary(leave.error)) {
    return (
      <LoadFailed
        isPage
        title={t('unsubscribe.not_now')}
        text={errorText(leave.error)}
        retryLabel={t('retry')}
        retry={leave.mutate}
      />
    )
  }
  const state = leave.isSuccess ? 'done' : leave.isError ? 'failed' : 'confirm'
  return (
    <main className="fill column">
      <EmptyState
        isPage
        drawing={state === 'failed' ? 'lost' : 'talk'}
        title={t(`unsubscribe.${state}`)}
        text={t(`unsubscribe.${state}_text`)}
        action={
          state === 'confirm' && (
            <Button variant="primary" loading={leave.isPending} onClick={() => leave.mutate()}>
              {t('unsubscribe.button')}
            </Button>
          )
        }
      />
    </main>
  )
}
