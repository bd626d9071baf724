import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type MovingIn, movingIn } from '#contract/operations/moving-in.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import styles from './MovingIn.module.css'
import { act } from './queries.ts'

/** How far a check or an import is. */
export function Working({ current: { state, api, progress } }: { current: MovingIn }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const title = t(state === 'checking' ? 'moving_in.checking' : 'moving_in.moving')
  const part = progress?.part ?? (api ? 'fetching' : 'reading')
  const stop = () => void act(client, movingIn.stop).catch((error) => showError('Not stopped', error))
  return (
    <Block title={title} text={t(part === 'fetching' ? 'moving_in.may_leave_reading' : 'moving_in.may_leave')}>
      <div className={styles.progress}>
        <p role="status">{t(`moving_in.parts.${part}`)}</p>
        <progress aria-label={title} value={progress?.fraction ?? 0} max={1} />
        <p className={styles.hint}>
          {progress && progress.seconds_left !== null
            ? t('moving_in.left', { time: formatDuration(progress.seconds_left) })
            : t('moving_in.no_estimate')}
        </p>
      </div>
      <div className={styles.buttons}>
        <Button onClick={stop}>{t('moving_in.stop')}</Button>
      </div>
    </Block>
  )
}

const MINUTE = 60
const HOUR = 3_600

/** `3 minutes`. */
function formatDuration(seconds: number): string {
  const [unit, length] =
    seconds < 90
      ? (['second', 1] as const)
      : seconds < 90 * MINUTE
        ? (['minute', MINUTE] as const)
        : (['hour', HOUR] as const)
  return formatNumber(Math.max(1, Math.round(seconds / length)), { style: 'unit', unit, unitDisplay: 'long' })
}
