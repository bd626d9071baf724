import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PushDevice } from '#contract/conversations/push.ts'
import { deviceName } from '../../../platform/device-name.ts'
import { showError } from '../../../platform/http/errors.ts'
import { useAges } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { notify } from '../../../ui/notices.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { readOwnDevice } from './own-device.ts'
import styles from './PushBlock.module.css'
import { removeDevice, tryDevice } from './queries.ts'

/** A device with its state, a test and a way to end notifications there. */
export function DeviceRow({ device }: { device: PushDevice }) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const client = useQueryClient()
  const [busy, setBusy] = useState<'test' | 'remove'>()
  const name = deviceName(device.user_agent ?? '') || device.push_service
  const run = async (what: 'test' | 'remove', work: () => Promise<unknown>) => {
    setBusy(what)
    await work().catch((error) => showError('Device not reached', error))
    setBusy(undefined)
  }
  const test = async () => {
    const problem = await tryDevice(client, device.id)
    if (problem) notify({ kind: 'error', title: t('push.test_failed'), text: problem })
    else notify({ kind: 'success', title: t('push.tested') })
  }
  return (
    <li className={styles.device}>
      <span className={styles.about}>
        <span>
          {name} {readOwnDevice(me.id)?.device_id === device.id && <Pill tone="success">{t('push.this_device')}</Pill>}
        </span>
        <DeviceState device={device} />
      </span>
      <span className={styles.actions}>
        <Button size="small" loading={busy === 'test'} onClick={() => run('test', test)}>
          {t('push.test')}
          <span className="unseen"> {name}</span>
        </Button>
        <Button
          size="small"
          variant="text"
          loading={busy === 'remove'}
          onClick={() => run('remove', () => removeDevice(client, me.id, device.id))}
        >
          {t('push.remove')}
          <span className="unseen"> {name}</span>
        </Button>
      </span>
    </li>
  )
}

function DeviceState({ device: { problem, last_success_at } }: { device: PushDevice }) {
  const { t } = useTranslation()
  const age = useAges()
  if (problem) return <span className={styles.problem}>{problem}</span>
  return (
    <span className={styles.hint}>
      {last_success_at ? t('push.last_success', { age: age(last_success_at, 'long') }) : t('push.never')}
    </span>
  )
}
