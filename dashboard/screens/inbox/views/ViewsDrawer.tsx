import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ViewsBar } from './ViewsBar.tsx'

/** The views of the inbox on narrow screens. */
export function ViewsDrawer({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} close={close} side="left" size={300} flush title={t('nav.inbox')}>
      <ViewsBar onChoose={close} />
    </Dialog>
  )
}
