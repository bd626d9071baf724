import { files } from '#contract/conversations/files.ts'
import type { StoredFile } from '#contract/conversations/messages.ts'
import type { Tokens } from '../session/session.ts'
import { withTokens } from './api.ts'
import { ApiError, messageIn, unreachable } from './request.ts'

export interface Sending {
  /** Called with the uploaded part, from 0 to 1. */
  progress: (part: number) => void
  signal: AbortSignal
}

/** Uploads a file. Throws ApiError; a cancelled upload throws the signal's reason. */
export function uploadFile(file: File, sending: Sending): Promise<StoredFile> {
  return withTokens((tokens) => post(file, tokens, sending))
}

/** `fetch` does not report upload progress. */
function post(file: File, { token, account_id, user_id }: Tokens, { progress, signal }: Sending): Promise<StoredFile> {
  const form = new FormData()
  form.append('account_id', account_id)
  form.append('user_id', String(user_id))
  form.append('file', file, file.name)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const cancel = () => {
      request.abort()
      reject(signal.reason)
    }
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel)
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(unreachable())
    request.onload = () => {
      const { status, response } = request
      if (status >= 200 && status < 300 && response?.data) resolve(response.data)
      else reject(new ApiError(status, messageIn(response) || `The file was refused with status ${status}.`, response))
    }
    request.onloadend = () => signal.removeEventListener('abort', cancel)
    request.open(files.upload.method, files.upload.path)
    request.responseType = 'json'
    request.setRequestHeader('authorization', token)
    request.send(form)
  })
}
