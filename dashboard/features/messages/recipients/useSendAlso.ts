import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation } from '#contract/conversations.ts'
import type { Draft } from '../drafts/drafts.ts'
import { newAddresses } from './chosen.ts'
import { recipientsQuery } from './queries.ts'

/** Addresses that a user has confirmed, until the server knows that a mail went to them. */
const confirmed = new Set<string>()

/** Asks once before the first mail to somebody who is new in the conversation. */
export function useSendAlso({ id, source }: Pick<Conversation, 'id' | 'source'>, draft: Draft) {
  const isMail = source === 'email' && draft.type === 'reply'
  const { data } = useQuery({ ...recipientsQuery(id), enabled: isMail })
  const [asked, ask] = useState<string[]>([])
  const keyOf = (address: string) => `${id} ${address.toLowerCase()}`
  return {
    /** The addresses about which the question is open. */
    asked,
    /** Whether sending must wait for an answer to the question, which is then shown. */
    mustAsk(): boolean {
      const added = isMail ? newAddresses(draft.mail ?? {}, data).filter((one) => !confirmed.has(keyOf(one))) : []
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
