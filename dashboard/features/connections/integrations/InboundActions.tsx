import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { InboundEvent } from '#contract/connections/integrations.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { downloadOriginal, retryInbound } from './queries.ts'

interface InboundActionsProps {
  event: InboundEvent
  onRetried?: () => void
}

/** What can be done with an incoming event that became no message. */
export function InboundActions({ event: { id, has_original }, onRetried }: InboundActionsProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const retry = () =>
    retryInbound(client, id)
      .then(onRetried)
      .catch((error) => showError('Event not tried again', error))
  const save = () => downloadOriginal(id).catch((error) => showError('Original not downloaded', error))
  return (
    <>
      {has_original && (
        <Button size="small" variant="text" onClick={save}>
          {t('integrations.original')}
        </Button>
      )}
      <Button size="small" variant="text" onClick={retry}>
        {t('retry')}
      </Button>
    </>
  )
}
