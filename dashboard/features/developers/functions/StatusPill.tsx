import { useTranslation } from 'react-i18next'
import type { Lambda } from '#contract/developers/functions.ts'
import { Pill } from '../../../ui/Pill.tsx'

const TONES = { active: 'success', inactive: 'neutral', pending: 'warning' } as const

/** Whether a function is deployed and active. */
export function StatusPill({ status }: Pick<Lambda, 'status'>) {
  const { t } = useTranslation()
  return <Pill tone={TONES[status]}>{t(`functions.states.${status}`)}</Pill>
}
