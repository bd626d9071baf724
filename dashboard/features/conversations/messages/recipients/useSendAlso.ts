import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Draft } from '../drafts/drafts.ts'
import { newAddresses } from './chosen.ts'
import { recipientsQuery } from './queries.ts'

/** Addresses that a user has confirmed, until the server knows that a mail went to them. */
const confirmed = new Set<string>()

/** Asks once before the first mail to somebody who is new in the conversation. */
export function useSendAlso({ id, source }: Pick<Conversation, 'id' | 'source'>, draft: Draft) {
  const isMail = source === 'email' && draft.type === 'reply'
  const client = useQueryClient()
  const [asked, ask] = useState<string[]>([])
  const keyOf = (address: string) => `${id} ${address.toLowerCase()}`
  return {
    /** The addresses about which the question is open. */
    asked,
    /** Whether sending must wait for an answer to the question, which is then shown. */
    async mustAsk(): Promise<boolean> {
      if (!isMail) return false
      // Without a connection the message waits, and goes to those who were chosen or whom the server chooses.
      const usual = await client.ensureQueryData(recipientsQuery(id)).catch(() => undefined)
      const added = newAddresses(draft.mail ?? {}, usual).filter((address) => !confirmed.has(keyOf(address)))
      ask(added)
      return added.length > 0
    },
    close: () => ask([]),
    confirm() {
      for (const address of asked) confirmed.add(keyOf(address))
      ask([])
    },
  }
}
