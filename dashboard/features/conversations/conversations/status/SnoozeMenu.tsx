import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { openSnoozeTime } from '../../actions/overlays.ts'
import { keysOf } from '../../actions/registry.ts'
import { snoozeTimes } from '../../actions/snooze-times.ts'

export function SnoozeMenu({ snooze }: { snooze: (until: string | null) => void }) {
  const { t } = useTranslation()
  const times = snoozeTimes(new Date()).map(({ name, until }) => ({
    key: name as string,
    label: t(`snooze.${name}`),
    onClick: () => snooze(until),
  }))
  const pick = { key: 'pick', label: t('snooze.pick'), onClick: () => openSnoozeTime(snooze) }
  return (
    <Menu items={[...times.slice(0, -1), pick, ...times.slice(-1)]}>
      {(trigger) => <IconButton {...trigger} icon="clock" label={t('snooze.snooze')} keys={keysOf('snooze')} />}
    </Menu>
  )
}
