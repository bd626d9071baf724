import { Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/IconButton.tsx'
import { openSnoozeTime } from '../actions/opened.ts'
import { keysOf } from '../actions/registry.ts'
import { snoozeTimes } from '../actions/snooze-times.ts'

/** Until when a conversation is put aside. */
export function SnoozeMenu({ snooze }: { snooze: (until: string | null) => void }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const times = snoozeTimes(new Date())
  const choose = ({ key }: { key: string }) => {
    const time = times.find(({ name }) => name === key)
    if (time) snooze(time.until)
    else openSnoozeTime(snooze)
  }
  const items = times.map(({ name }) => ({ key: name as string, label: t(`snooze.${name}`) }))
  return (
    <Dropdown
      trigger={['click']}
      open={isOpen}
      onOpenChange={setOpen}
      placement="bottomRight"
      menu={{ items: items.toSpliced(-1, 0, { key: 'pick', label: t('snooze.pick') }), onClick: choose }}
    >
      <span>
        <IconButton icon="clock" label={t('snooze.snooze')} keys={keysOf('snooze')} menu={isOpen} />
      </span>
    </Dropdown>
  )
}
