import { useTranslation } from 'react-i18next'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import styles from './PictureDialog.module.css'

interface PictureDialogProps {
  file: StoredFile
  open: boolean
  close: () => void
}

/** An image, as large as the screen allows. */
export function PictureDialog({ file, open, close }: PictureDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={file.filename} open={open} close={close} size="min(1080px, 96vw)">
      <img className={styles.picture} src={file.file_url} alt={file.filename} />
      <a className={styles.link} href={file.file_url} target="_blank" rel="noopener noreferrer nofollow">
        {t('files.open_original')}
      </a>
    </Dialog>
  )
}
