import { useState } from 'react'
import { ApiError } from '../../../../platform/http/request.ts'

/**
 * For messages other than replies from the composer: if the customer may have asked for no more messages, the server
 * refuses the first try, which says why, and the next press confirms.
 */
export function useSendAnyway() {
  const [isAsked, ask] = useState(false)
  return {
    /** Whether the next press sends it anyway, as its button must say. */
    isAsked,
    async send(work: (send_anyway: boolean) => Promise<void>): Promise<void> {
      try {
        await work(isAsked)
      } catch (error) {
        if (error instanceof ApiError && error.reason === 'possible_opt_out') ask(true)
        throw error
      }
    },
  }
}
