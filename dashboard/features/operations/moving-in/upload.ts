import { type MovingIn, movingIn, type ProductId } from '#contract/operations/moving-in.ts'
import { call, callWithForm } from '../../../platform/http/api.ts'
import { ApiError, isTemporary } from '../../../platform/http/request.ts'

/** Small enough for the server's limit of a form, large enough for few requests. */
const PIECE_BYTES = 4_000_000
const RETRY_MS = 2_000
const CONFLICT = 409

interface Upload {
  file: File
  product: ProductId
  /** Ends the upload; what has arrived stays. */
  signal: AbortSignal
  onProgress(answer: MovingIn): void
  /** Whether the connection is interrupted at the moment. */
  onInterrupted(isInterrupted: boolean): void
}

/**
 * Uploads a file in pieces. It goes on where an earlier upload of the same file stopped, and by itself after a lost
 * connection.
 * @throws ApiError
 */
export async function uploadDump({ file, product, signal, onProgress, onInterrupted }: Upload): Promise<MovingIn> {
  let answer = await beginOrResume(file, product)
  onProgress(answer)
  while (answer.file && answer.file.received < file.size) {
    signal.throwIfAborted()
    try {
      answer = await sendPiece(file, answer.file.received, signal)
      onInterrupted(false)
      onProgress(answer)
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === CONFLICT
      if (signal.aborted || !(isConflict || isTemporary(error))) throw error
      if (!isConflict) onInterrupted(true)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      answer = await currentOr(answer, signal)
    }
  }
  return answer
}

/** Whether the file is the one whose upload has begun. */
export function isSameFile(answer: MovingIn, file: File): boolean {
  return answer.state === 'uploading' && answer.file?.name === file.name && answer.file.size === file.size
}

async function beginOrResume(file: File, product: ProductId): Promise<MovingIn> {
  const current = (await call(movingIn.get, {})).data
  if (isSameFile(current, file) && current.product === product) return current
  return (await call(movingIn.begin, { body: { product, filename: file.name, size: file.size } })).data
}

/** What has arrived; unchanged while the server cannot be reached. */
async function currentOr(answer: MovingIn, signal: AbortSignal): Promise<MovingIn> {
  try {
    return (await call(movingIn.get, { signal })).data
  } catch (error) {
    if (!isTemporary(error)) throw error
    return answer
  }
}

async function sendPiece(file: File, offset: number, signal: AbortSignal): Promise<MovingIn> {
  const form = new FormData()
  form.append('offset', String(offset))
  form.append('file', file.slice(offset, offset + PIECE_BYTES), 'piece')
  return (await callWithForm(movingIn.addPiece, form, { signal })).data
}
