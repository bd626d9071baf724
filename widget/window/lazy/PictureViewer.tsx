import { useEffect, useRef } from 'react'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { CloseIcon, DownloadIcon } from '../icons.tsx'
import './PictureViewer.css'
import type { Labels } from '../appearance/labels.ts'

interface Props {
  file: StoredFile
  labels: Labels
  close: () => void
}

/**
 * An image as large as the window. Escape, a tap beside it and the button close it, and the focus returns to where it
 * was.
 */
export function PictureViewer({ file, labels, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    const before = document.activeElement as HTMLElement | null
    current?.showModal()
    return () => {
      current?.close()
      before?.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="viewer"
      aria-label={file.filename}
      onClose={close}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
      // Escape closes only the viewer, not the chat.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
    >
      <img src={file.file_url} alt={file.filename} />
      <div className="viewer-bar">
        <a
          className="icon-button"
          href={file.file_url}
          download={file.filename}
          target="_blank"
          rel="noopener noreferrer nofollow"
          aria-label={labels.download}
          title={labels.download}
        >
          <DownloadIcon />
        </a>
        <button
          type="button"
          className="icon-button"
          aria-label={labels.closePicture}
          title={labels.closePicture}
          onClick={close}
        >
          <CloseIcon />
        </button>
      </div>
    </dialog>
  )
}
