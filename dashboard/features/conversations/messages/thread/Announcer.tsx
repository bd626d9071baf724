import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { isWrittenBy, type Message } from '#contract/conversations/messages.ts'
import { displayName } from '#contract/customers/customers.ts'
import { plainText } from '#contract/text/plain.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { mailSenderOf } from '../bubble/mail-sender.ts'

/**
 * Announces new messages of the open conversation to screen readers. The thread itself cannot, because its lines are
 * added and removed while scrolling.
 */
export function Announcer({ conversation, messages }: { conversation: Conversation; messages: Message[] | undefined }) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const [text, setText] = useState('')
  const lastNumber = useRef<number>(undefined)
  const newest = messages?.at(-1)
  useEffect(() => {
    if (!newest) return
    const isNew = lastNumber.current !== undefined && newest.number > lastNumber.current
    lastNumber.current = newest.number
    if (!isNew || isWrittenBy(me.id, newest)) return
    const writer = mailSenderOf(newest)?.name ?? displayName(conversation.customer)
    const name = newest.customer_id ? writer : userName(newest.user)
    setText(t('thread.announced', { name, text: plainText(newest).trim() || t('list.attachment') }))
  }, [newest, me.id, conversation.customer, t])
  return (
    <div className="unseen" aria-live="polite">
      {text}
    </div>
  )
}
