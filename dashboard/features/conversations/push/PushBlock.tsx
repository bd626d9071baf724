import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PushDevice } from '#contract/conversations/push.ts'
import { showError } from '../../../platform/http/errors.ts'
import { readPushSupport } from '../../../platform/push.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Bone } from '../../../ui/Skeleton.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { DeviceRow } from './DeviceRow.tsx'
import { readOwnDevice } from './own-device.ts'
import styles from './PushBlock.module.css'
import { PushChoices } from './PushChoices.tsx'
import { addThisDevice, pushDevicesQuery, pushStatusQuery } from './queries.ts'

/** Notifications on the user's devices: where, and about what. */
export function PushBlock() {
  const { t } = useTranslation()
  const status = useQuery(pushStatusQuery)
  const devices = useQuery(pushDevicesQuery)
  const failed = status.isError && !status.data ? status : devices
  return (
    <Block title={t('push.title')} text={t('push.text')}>
      {status.data && devices.data ? (
        <>
          {status.data.problem && <Banner tone="warning">{status.data.problem}</Banner>}
          <ThisDevice devices={devices.data} isOff={status.data.problem !== null} />
          <Devices devices={devices.data} />
          <PushChoices />
        </>
      ) : (
        <QueryView query={failed} failed={t('push.failed')} loading={<Bone width="60%" />} />
      )}
    </Block>
  )
}

/** The button for this browser, or what has to be done before it can be notified. */
function ThisDevice({ devices, isOff }: { devices: PushDevice[]; isOff: boolean }) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const support = readPushSupport()
  const own = readOwnDevice(me.id)
  if (devices.some(({ id }) => id === own?.device_id)) return null
  if (support === 'install') return <Banner>{t('push.install')}</Banner>
  if (support !== 'possible') return <p className={styles.hint}>{t(`notifications.desktop_${support}`)}</p>
  const add = async () => {
    setBusy(true)
    await addThisDevice(client, me.id).catch((error) => showError('Notifications not turned on', error))
    setBusy(false)
  }
  return (
    <div>
      <Button variant="primary" loading={isBusy} disabled={isOff} onClick={add}>
        {t('push.add')}
      </Button>
    </div>
  )
}

function Devices({ devices }: { devices: PushDevice[] }) {
  const { t } = useTranslation()
  if (devices.length === 0) return <p className={styles.hint}>{t('push.none')}</p>
  return (
    <ul className={styles.devices} aria-label={t('push.devices')}>
      <Each name="device" items={devices} keyOf={(device) => device.id}>
        {(device) => <DeviceRow device={device} />}
      </Each>
    </ul>
  )
}
