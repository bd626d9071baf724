import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { Keys } from '../../ui/Keys.tsx'
import { width } from '../../ui/tokens.ts'
import styles from './ShortcutsDialog.module.css'

const SHORTCUTS = [
  ['mod+enter', 'send'],
  ['mod+d', 'close'],
  ['mod+up', 'next'],
  ['mod+down', 'previous'],
  ['mod+p', 'prioritize'],
  ['mod+u', 'unprioritize'],
  ['mod+o', 'reopen'],
  ['esc', 'escape'],
] as const

/** Every key of the inbox. */
export function ShortcutsDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal title={t('shortcuts.title')} open={open} onCancel={close} footer={null} width={width.dialog}>
      <dl className={styles.list}>
        {SHORTCUTS.map(([keys, name]) => (
          <div key={name} className={styles.row}>
            <dt>{t(`shortcuts.${name}`)}</dt>
            <dd>
              <Keys of={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
