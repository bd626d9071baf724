import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionRevoked, PermanentFailure, RetryLater } from '../../../integration.ts'

const TRIES = 6
const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000

/**
 * Makes a reading call, with some retries, so that one failure does not discard what many other calls have read.
 * @throws the error of the last try; Never and Reconnect at once
 */
export async function retryRead<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (error instanceof PermanentFailure || error instanceof ConnectionRevoked || attempt === TRIES - 1) throw error
      const delay =
        error instanceof RetryLater && error.at ? error.at.getTime() - Date.now() : FIRST_WAIT_MS * 2 ** attempt
      // If a vendor asks for a long pause, the next poll is soon enough.
      if (delay > MAX_WAIT_MS) throw error
      await sleep(Math.max(delay, 0))
    }
  }
}
