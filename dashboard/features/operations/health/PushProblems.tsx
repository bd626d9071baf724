import { useTranslation } from 'react-i18next'
import type { PushHealth } from '#contract/operations/health.ts'
import { messageTime } from '../../../platform/times.ts'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import styles from './Health.module.css'
import { hasPushTrouble } from './state.ts'

/** Whether notifications reach the devices of the team, and why not. */
export function PushProblems({ push }: { push: PushHealth }) {
  const { t } = useTranslation()
  const { devices, last_success_at, sender_problem, problems } = push
  return (
    <Block title={t('health.push')} text={t('health.push_text')}>
      <p>
        {/* Without devices, nobody misses the sender. */}
        {(!sender_problem || devices > 0) && (
          <Pill tone={hasPushTrouble(push) ? 'danger' : 'success'}>
            {t(hasPushTrouble(push) ? 'health.states.failed' : 'health.states.well')}
          </Pill>
        )}{' '}
        {t('health.push_devices', { count: devices })}{' '}
        {last_success_at && (
          <span className={styles.more}>{t('health.push_success', { when: messageTime(last_success_at) })}</span>
        )}
      </p>
      {sender_problem && <p>{sender_problem}</p>}
      <Each name="push problem" items={problems} keyOf={({ problem }) => problem}>
        {({ problem, devices: count, problem_at }) => (
          <p>
            {problem}{' '}
            <span className={styles.more}>
              ({t('health.push_devices', { count })}, {messageTime(problem_at)})
            </span>
          </p>
        )}
      </Each>
    </Block>
  )
}
