import { useState } from 'react'
import type { StoredFile } from '#contract/conversations/messages.ts'
import './Attachments.css'
import { fill, type Labels } from '../appearance/labels.ts'
import { DownloadIcon, FileIcon } from '../icons.tsx'
import { useLazy } from '../useLazy.ts'

interface Props {
  files: readonly StoredFile[]
  /** The length of a voice message. */
  seconds: number | undefined
  labels: Labels
}

const loadPlayer = () => import('../lazy/VoicePlayer.tsx')
const loadViewer = () => import('../lazy/PictureViewer.tsx')

/** The attachments of a message: images, voice messages, and other files to download. */
export function Attachments({ files, seconds, labels }: Props) {
  return (
    <>
      {files.map((file) => {
        if (seconds !== undefined || file.content_type.startsWith('audio/')) {
          return <Voice key={file.id} file={file} seconds={seconds} labels={labels} />
        }
        const isPicture = /^image\/(jpeg|png|webp|gif|avif)$/.test(file.content_type)
        return isPicture ? (
          <Picture key={file.id} file={file} labels={labels} />
        ) : (
          <FileRow key={file.id} file={file} labels={labels} />
        )
      })}
    </>
  )
}

function Voice({ file, seconds, labels }: { file: StoredFile; seconds: number | undefined; labels: Labels }) {
  const player = useLazy(true, loadPlayer)
  return player ? <player.VoicePlayer file={file} seconds={seconds} labels={labels} /> : <div className="voice-place" />
}

/**
 * A preview in a space of fixed size, so that nothing moves when it loads. An open picture stays open if its preview fails.
 */
function Picture({ file, labels }: { file: StoredFile; labels: Labels }) {
  const [isOpen, setOpen] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const viewer = useLazy(isOpen, loadViewer)
  return (
    <>
      {isBroken ? (
        <FileRow file={file} labels={labels} />
      ) : (
        <button
          type="button"
          className="picture"
          style={roomFor(file)}
          aria-label={fill(labels.openPicture, { name: file.filename })}
          onClick={() => setOpen(true)}
        >
          <img src={file.file_url} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
        </button>
      )}
      {isOpen && viewer && <viewer.PictureViewer file={file} labels={labels} close={() => setOpen(false)} />}
    </>
  )
}

/** The image's own size as a maximum; where it is unknown, the stylesheet's. */
function roomFor({ width, height }: StoredFile) {
  if (!width || !height) return undefined
  const scale = Math.min(1, 220 / width, 280 / height)
  return { width: Math.max(48, width * scale), height: 'auto', aspectRatio: `${width} / ${height}` }
}

function FileRow({ file, labels }: { file: StoredFile; labels: Labels }) {
  return (
    <a
      className="file"
      href={file.file_url}
      download={file.filename}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      <FileIcon />
      <span dir="auto">{file.filename}</span>
      <span className="visually-hidden">{labels.download}</span>
      <DownloadIcon />
    </a>
  )
}
