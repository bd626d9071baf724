/**
 * The result of the work, unless it takes longer: then it rejects with this message, and a later result is ignored. The
 * timer keeps no process alive.
 */
export async function withinTime<Result>(longestMs: number, work: Promise<Result>, sentence: string): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(sentence)), longestMs)
  timer.unref()
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The answer, or undefined if it takes longer. */
export async function answerWithin<T>(longestMs: number, answer: Promise<T>): Promise<T | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), longestMs)
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
