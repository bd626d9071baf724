import { useTranslation } from 'react-i18next'
import type { Authorization } from '#contract/connections/integrations.ts'
import { clockTime } from '../../../platform/times.ts'
import { Pill } from '../../../ui/Pill.tsx'

/** The color of each state. */
export const TONES = {
  connected: 'success',
  waiting: 'accent',
  resting: 'warning',
  failing: 'warning',
  broken: 'danger',
} as const

/** The state of a connection. */
export function StatusPill({ authorization }: { authorization: Authorization | undefined }) {
  const { t } = useTranslation()
  if (!authorization) return <Pill>{t('connections.not_connected')}</Pill>
  const { state, paused_until } = authorization
  return (
    <Pill tone={TONES[state]}>
      {state === 'resting'
        ? t('connections.states.resting', { time: clockTime(paused_until ?? '') })
        : t(`connections.states.${state}`)}
    </Pill>
  )
}
