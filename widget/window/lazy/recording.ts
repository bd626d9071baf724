/** Audio formats that browsers can record, the smallest first. The server detects the format from the content. */
const KINDS = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
/** Enough for speech. */
const BITS_PER_SECOND = 32_000

export interface Recording {
  seconds: () => number
  finish: () => Promise<{ file: File; length: number }>
  cancel: () => void
}

/**
 * Starts a recording, for which the browser asks the visitor's permission.
 * @throws DOMException when the visitor or the page refuses, or there is no microphone
 */
export async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind))
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND })
  const parts: Blob[] = []
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.start(1000)

  /** Stopping the tracks removes the browser's recording indicator. */
  function release() {
    for (const track of stream.getTracks()) track.stop()
  }

  return {
    seconds,
    async finish() {
      const length = Math.max(0.1, Math.round(seconds() * 10) / 10)
      const stopped = new Promise((resolve) => {
        recorder.onstop = resolve
      })
      recorder.stop()
      await stopped
      release()
      const ending = /mp4/.test(recorder.mimeType) ? 'm4a' : /ogg/.test(recorder.mimeType) ? 'ogg' : 'webm'
      return { file: new File(parts, `voice-message.${ending}`, { type: recorder.mimeType }), length }
    },
    cancel() {
      if (recorder.state !== 'inactive') recorder.stop()
      release()
    },
  }
}
