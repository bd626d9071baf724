import { useTranslation } from 'react-i18next'
import type { EventSubscription } from '#contract/developers/webhooks.ts'
import { Pill } from '../../../ui/Pill.tsx'

/** Whether the address is verified, and whether deliveries succeed. */
export function StatePill({ webhook: { verified, state } }: { webhook: EventSubscription }) {
  const { t } = useTranslation()
  return (
    <>
      <Pill tone={verified ? 'success' : 'warning'}>{t(verified ? 'webhooks.verified' : 'webhooks.unverified')}</Pill>{' '}
      {state !== 'healthy' && (
        <Pill tone={state === 'failing' ? 'danger' : 'neutral'}>{t(`webhooks.states.${state}`)}</Pill>
      )}
    </>
  )
}
