import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { Each } from '../../../../ui/Each.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import styles from './Attachments.module.css'

const VoicePlayer = lazyComponent(async () => (await import('./VoicePlayer.tsx')).VoicePlayer)
const PictureDialog = lazyComponent(async () => (await import('./PictureDialog.tsx')).PictureDialog)

interface AttachmentsProps {
  files: readonly StoredFile[]
  /** The length of a voice message. */
  seconds?: number
}

/** The attachments of a message: images, voice messages and other files. */
export function Attachments({ files, seconds }: AttachmentsProps) {
  if (files.length === 0) return null
  return (
    <ul className={styles.files}>
      <Each name="file" items={files} keyOf={(file) => file.id}>
        {(file) => (
          <li>
            <Attachment file={file} seconds={seconds} />
          </li>
        )}
      </Each>
    </ul>
  )
}

function Attachment({ file, seconds }: { file: StoredFile; seconds: number | undefined }) {
  if (file.content_type.startsWith('image/')) return <Picture file={file} />
  // Some voice messages are recorded in containers whose type is video.
  const isVoice = /^audio\//.test(file.content_type) || /^voice-message\.(webm|m4a|ogg)$/.test(file.filename)
  return isVoice ? <Voice file={file} seconds={seconds} /> : <FileRow file={file} />
}

/** The space of the player while its code is loaded. */
function Voice(props: { file: StoredFile; seconds: number | undefined }) {
  return (
    <Suspense fallback={<div className={styles.voice} />}>
      <VoicePlayer {...props} />
    </Suspense>
  )
}

/** A preview in a space of fixed size, so that nothing moves when it loads. */
function Picture({ file }: { file: StoredFile }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <FileRow file={file} />
  return (
    <>
      <button
        type="button"
        className={styles.picture}
        style={roomFor(file)}
        aria-label={t('files.open', { name: file.filename })}
        onClick={() => setOpen(true)}
      >
        <img src={file.file_url} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      </button>
      <LazyMount when={isOpen}>
        <PictureDialog file={file} open={isOpen} close={() => setOpen(false)} />
      </LazyMount>
    </>
  )
}

/** The largest width of an image in a thread, in pixels. */
const WIDEST = 320

/** The image's own proportions; where they are unknown, the stylesheet's. */
function roomFor({ width, height }: StoredFile) {
  if (!width || !height) return undefined
  const scale = Math.min(1, WIDEST / width, WIDEST / height)
  return { width: Math.max(48, width * scale), height: 'auto', aspectRatio: `${width} / ${height}` }
}

function FileRow({ file }: { file: StoredFile }) {
  return (
    <a
      className={styles.row}
      href={file.file_url}
      download={file.filename}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      <Icon name="file" />
      <span className={styles.name} dir="auto">
        {file.filename}
      </span>
      <Icon name="download" size={18} className={styles.icon} />
    </a>
  )
}
