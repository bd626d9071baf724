import type { StoredFile } from '#contract/conversations/messages.ts'
import type { ChosenFile } from '../outbox/files.ts'
import { createPendingFiles, type PendingFile } from './pending-files.ts'

/** The server's limit, repeated here because its module would import the schema library. */
const MAX_BYTES = 8_000_000

interface UploaderOptions {
  account_id: string
  /** The name of the storage for files that are not uploaded yet. */
  name: string
  token: () => string | undefined
  change: (id: string, changes: Partial<ChosenFile>) => void
  done: (id: string, stored: StoredFile) => void
}

type UploadOutcome = { stored: StoredFile } | { refused: true } | { retryAfter: number }

/** Uploads files, and keeps them in the browser's storage until that is done. */
export function createUploader({ account_id, name, token, change, done }: UploaderOptions) {
  const pending = createPendingFiles(name)
  const uploads = new Map<string, { file: File; stop: AbortController }>()

  async function send(id: string, file: File, seconds?: number) {
    if (file.size > MAX_BYTES) return change(id, { state: 'refused', reason: 'tooLarge' })
    if (file.size === 0) return change(id, { state: 'refused', reason: 'isEmpty' })
    await pending.put({ id, file, name: file.name, seconds })
    await attempt(id, file)
  }

  async function attempt(id: string, file: File) {
    const stop = new AbortController()
    uploads.set(id, { file, stop })
    const outcome = await post(file, { account_id, token: token(), signal: stop.signal }, (part) =>
      change(id, { part }),
    )
    if (stop.signal.aborted) return
    if ('stored' in outcome) {
      removeUpload(id)
      return done(id, outcome.stored)
    }
    if ('refused' in outcome) {
      removeUpload(id)
      return change(id, { state: 'refused', reason: 'refusedFile' })
    }
    change(id, { state: 'failed', part: 0 })
    // Retries automatically when the server said how long to wait.
    if (outcome.retryAfter > 0) setTimeout(() => retry(id), outcome.retryAfter * 1000)
  }

  function retry(id: string) {
    const upload = uploads.get(id)
    if (!upload || upload.stop.signal.aborted) return
    change(id, { state: 'waiting', part: 0 })
    void attempt(id, upload.file)
  }

  function removeUpload(id: string) {
    uploads.delete(id)
    void pending.drop(id)
  }

  addEventListener('online', () => {
    for (const id of uploads.keys()) retry(id)
  })

  return {
    send,
    retry,
    cancel(id: string) {
      uploads.get(id)?.stop.abort()
      removeUpload(id)
    },
    /** Resumes the uploads that an earlier page did not finish. */
    async restore(): Promise<PendingFile[]> {
      const files = await pending.list()
      for (const { id, file } of files) queueMicrotask(() => void attempt(id, file))
      return files
    },
  }
}

export type Uploader = ReturnType<typeof createUploader>

interface Sending {
  account_id: string
  token: string | undefined
  signal: AbortSignal
}

/** `fetch` does not report upload progress. */
function post(
  file: File,
  { account_id, token, signal }: Sending,
  progress: (part: number) => void,
): Promise<UploadOutcome> {
  const form = new FormData()
  form.append('account_id', account_id)
  form.append('file', file, file.name)
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    signal.addEventListener('abort', () => request.abort())
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0)
    request.onerror = () => resolve({ retryAfter: 0 })
    request.onload = () => {
      const { status, response } = request
      if (status < 300 && response?.data) resolve({ stored: response.data })
      else if ([400, 403, 413, 415, 422].includes(status)) resolve({ refused: true })
      else resolve({ retryAfter: Number(request.getResponseHeader('retry-after')) || 0 })
    }
    request.open('POST', '/api/upload')
    request.responseType = 'json'
    if (token) request.setRequestHeader('authorization', token)
    request.send(form)
  })
}
