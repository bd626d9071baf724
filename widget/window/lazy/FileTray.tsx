import './FileTray.css'
import { fill, type Labels } from '../appearance/labels.ts'
import { CloseIcon, FileIcon } from '../icons.tsx'
import type { ChosenFile, createFiles } from '../outbox/files.ts'

interface Props {
  uploads: ReturnType<typeof createFiles>
  files: readonly ChosenFile[]
  /** Whether the message is sent once the uploads are done. */
  isQueued: boolean
  labels: Labels
}

/** The files attached to the next message, with their upload progress. */
export function FileTray({ uploads, files, isQueued, labels }: Props) {
  return (
    <>
      <ul className="tray" aria-label={labels.attached}>
        {files.map((file) => (
          <li key={file.id} data-state={file.state}>
            {file.stored?.content_type.startsWith('image/') ? (
              <img className="tray-picture" src={file.stored.file_url} alt="" />
            ) : (
              <FileIcon />
            )}
            <div className="tray-text">
              <span className="tray-name" dir="auto">
                {file.seconds === undefined ? file.name : labels.voice}
              </span>
              <UploadState file={file} labels={labels} retry={() => uploads.retry(file.id)} />
            </div>
            <button
              type="button"
              className="tool"
              aria-label={fill(labels.remove, { name: file.name })}
              title={fill(labels.remove, { name: file.name })}
              onClick={() => uploads.remove(file.id)}
            >
              <CloseIcon />
            </button>
          </li>
        ))}
      </ul>
      <p className="tray-queued" role="status">
        {isQueued && labels.waiting}
      </p>
    </>
  )
}

/** The state of an upload; nothing once it is complete. */
function UploadState({ file, labels, retry }: { file: ChosenFile; labels: Labels; retry: () => void }) {
  if (file.state === 'waiting') {
    return <progress max={1} value={file.part} aria-label={fill(labels.uploading, { name: file.name })} />
  }
  if (file.state === 'refused') {
    return (
      <span className="tray-fault" role="alert">
        {labels[file.reason ?? 'refusedFile']}
      </span>
    )
  }
  if (file.state !== 'failed') return null
  return (
    <span className="tray-fault" role="alert">
      {labels.uploadFailed}{' '}
      <button type="button" className="link-button" onClick={retry}>
        {labels.retry}
      </button>
    </span>
  )
}
