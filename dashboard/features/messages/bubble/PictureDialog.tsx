import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import type { StoredFile } from '#contract/messages.ts'
import styles from './PictureDialog.module.css'

interface PictureDialogProps {
  file: StoredFile
  open: boolean
  close: () => void
}

/** One picture, as large as the screen allows. */
export function PictureDialog({ file, open, close }: PictureDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal title={file.filename} open={open} onCancel={close} centered width="min(1080px, 96vw)" footer={null}>
      <img className={styles.picture} src={file.file_url} alt={file.filename} />
      <a className={styles.link} href={file.file_url} target="_blank" rel="noopener noreferrer nofollow">
        {t('files.open_original')}
      </a>
    </Modal>
  )
}
