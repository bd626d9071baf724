import { useState } from 'react'
import type { StoredFile } from '#contract/conversations/messages.ts'
import './Attachments.css'
import { fill, type Words } from '../appearance/words.ts'
import { DownloadIcon, FileIcon } from '../icons.tsx'
import { useLazy } from '../useLazy.ts'

interface Props {
  files: readonly StoredFile[]
  /** The length of a voice message. */
  seconds: number | undefined
  words: Words
}

const loadPlayer = () => import('../lazy/VoicePlayer.tsx')
const loadViewer = () => import('../lazy/PictureViewer.tsx')

/** The attachments of a message: images, voice messages, and other files to download. */
export function Attachments({ files, seconds, words }: Props) {
  return (
    <>
      {files.map((file) => {
        if (seconds !== undefined || file.content_type.startsWith('audio/')) {
          return <Voice key={file.id} file={file} seconds={seconds} words={words} />
        }
        const isPicture = /^image\/(jpeg|png|webp|gif|avif)$/.test(file.content_type)
        return isPicture ? (
          <Picture key={file.id} file={file} words={words} />
        ) : (
          <FileRow key={file.id} file={file} words={words} />
        )
      })}
    </>
  )
}

function Voice({ file, seconds, words }: { file: StoredFile; seconds: number | undefined; words: Words }) {
  const player = useLazy(true, loadPlayer)
  return player ? <player.VoicePlayer file={file} seconds={seconds} words={words} /> : <div className="voice-place" />
}

/**
 * A preview in a space of fixed size, so that nothing moves when it loads. An open picture stays open if its preview fails.
 */
function Picture({ file, words }: { file: StoredFile; words: Words }) {
  const [isOpen, setOpen] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const viewer = useLazy(isOpen, loadViewer)
  return (
    <>
      {isBroken ? (
        <FileRow file={file} words={words} />
      ) : (
        <button
          type="button"
          className="picture"
          style={roomFor(file)}
          aria-label={fill(words.openPicture, { name: file.filename })}
          onClick={() => setOpen(true)}
        >
          <img src={file.file_url} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
        </button>
      )}
      {isOpen && viewer && <viewer.PictureViewer file={file} words={words} close={() => setOpen(false)} />}
    </>
  )
}

/** The image's own size as a maximum; where it is unknown, the stylesheet's. */
function roomFor({ width, height }: StoredFile) {
  if (!width || !height) return undefined
  const scale = Math.min(1, 220 / width, 280 / height)
  return { width: Math.max(48, width * scale), height: 'auto', aspectRatio: `${width} / ${height}` }
}

function FileRow({ file, words }: { file: StoredFile; words: Words }) {
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
      <span className="visually-hidden">{words.download}</span>
      <DownloadIcon />
    </a>
  )
}
