import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Each } from '../../../../ui/Each.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { type AttachedFile, detachFromDraft } from '../drafts/drafts.ts'
import styles from './AttachmentChips.module.css'
import { cancelUpload, retryUpload } from './attaching.ts'
import { fileSize } from './file-size.ts'
import type { Upload } from './uploads.ts'

interface ChipsProps {
  conversation_id: string
  files: readonly AttachedFile[]
  uploads: readonly Upload[]
}

/** The files of a draft: uploaded ones and those still uploading. */
export function AttachmentChips({ conversation_id, files, uploads }: ChipsProps) {
  const { t } = useTranslation()
  if (files.length === 0 && uploads.length === 0) return null
  return (
    <ul className={styles.chips} aria-label={t('files.label')}>
      <Each name="file" items={files} keyOf={({ id }) => id}>
        {({ id, filename, size, content_type, file_url }) => (
          <Chip name={filename} size={size} picture={content_type.startsWith('image/') ? file_url : undefined}>
            <ChipButton
              icon="close"
              label={t('files.remove', { name: filename })}
              onClick={() => detachFromDraft(conversation_id, id)}
            />
          </Chip>
        )}
      </Each>
      <Each name="upload" items={uploads} keyOf={(upload) => upload.id}>
        {(upload) => <UploadChip upload={upload} />}
      </Each>
    </ul>
  )
}

function UploadChip({ upload: { id, name, size, state, part, error, reason } }: { upload: Upload }) {
  const { t } = useTranslation()
  const isUploading = state === 'uploading'
  return (
    <Chip name={name} size={size} failure={isUploading ? undefined : reason ? t(`files.${reason}`) : error}>
      {isUploading && <progress className={styles.progress} value={part} aria-label={t('files.uploading', { name })} />}
      {state === 'failed' && (
        <ChipButton icon="retry" label={t('files.retry', { name })} onClick={() => retryUpload(id)} />
      )}
      <ChipButton
        icon="close"
        label={t(isUploading ? 'files.cancel' : 'files.remove', { name })}
        onClick={() => cancelUpload(id)}
      />
    </Chip>
  )
}

interface ChipProps {
  name: string
  size: number
  failure?: string | undefined
  /** Shown instead of the file icon. */
  picture?: string | undefined
  children: ReactNode
}

function Chip({ name, size, failure, picture, children }: ChipProps) {
  return (
    <li className={styles.chip} data-failed={failure ? true : undefined}>
      {picture ? (
        <img src={picture} alt="" className={styles.picture} />
      ) : (
        <Icon name={failure ? 'alert' : 'file'} size={18} className={styles.icon} />
      )}
      <span className={styles.words}>
        <span className={styles.name} title={name} dir="auto">
          {name}
        </span>
        {failure ? (
          <span className={styles.failure} role="alert">
            {failure}
          </span>
        ) : (
          <span className={styles.size}>{fileSize(size)}</span>
        )}
      </span>
      {children}
    </li>
  )
}

interface ChipButtonProps {
  icon: 'close' | 'retry'
  label: string
  onClick: () => void
}

function ChipButton({ icon, label, onClick }: ChipButtonProps) {
  return (
    <button type="button" className={styles.button} aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={16} />
    </button>
  )
}
