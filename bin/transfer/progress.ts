const EVERY_MS = 5_000

/** How far a transfer is, kept up to date by what transfers. */
export interface Progress {
  /** What is being done, such as `Reading`. */
  step: string
  lines: number
  /** From 0 to 1, where the whole is known. */
  share?: number
}

/**
 * Says on stderr every few seconds how far a transfer is; a short one says nothing.
 * @returns ends it
 */
export function showProgress(progress: Progress, write: (line: string) => void = console.error): () => void {
  const timer = setInterval(() => write(describe(progress)), EVERY_MS)
  return () => clearInterval(timer)
}

function describe({ step, lines, share }: Progress): string {
  const percent = share === undefined ? '' : `, ${Math.floor(share * 100)} %`
  return `${step}: ${lines.toLocaleString('en')} lines${percent} …`
}
