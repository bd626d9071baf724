import { Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { ViewsBar } from './ViewsBar.tsx'

/** The views of the inbox where there is no room for a bar. */
export function ViewsDrawer({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  return (
    <Drawer
      open={open}
      onClose={close}
      placement="left"
      size={300}
      title={t('nav.inbox')}
      styles={{ body: { padding: 0 } }}
    >
      <ViewsBar onChoose={close} />
    </Drawer>
  )
}
