import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Message } from '#contract/conversations/messages.ts'
import type { MailOfConversation } from '#contract/mail/message-mails.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Each } from '../../../../ui/Each.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { notify } from '../../../../ui/notices.ts'
import { Undrawn } from '../../../../ui/PartBoundary.tsx'
import styles from './MailLine.module.css'
import { mailsQuery, splitOff, undoSplitOff } from './queries.ts'

/** Below a message that came or went by mail: to whom it went, and who wrote it if that was not the customer. */
export function MailLine({ message }: { message: Message }) {
  const { data = [] } = useQuery(mailsQuery(message.conversation_id))
  const mail = data.find(({ message_id }) => message_id === message.id)
  if (!mail) return null
  if (mail.sender && mail.sender !== 'customer') return <OtherSender mail={mail} />
  return <Recipients mail={mail} />
}

function Recipients({ mail: { direction, recipients, cc, bcc, has_other_recipients } }: { mail: MailOfConversation }) {
  const { t } = useTranslation()
  const lists = [
    ['to', direction === 'out' ? recipients : []],
    ['cc', cc],
    ['bcc', bcc],
  ] as const
  const shown = lists.filter(([, addresses]) => addresses.length > 0)
  if (shown.length === 0) return null
  return (
    <div className={styles.line} data-out={direction === 'out' || undefined} translate="no">
      <Each name="recipients" items={shown} keyOf={([kind]) => kind} fallback={() => <Undrawn />}>
        {([kind, addresses]) => (
          <span>
            {t(`recipients.${kind}`)} <bdi>{addresses.join(', ')}</bdi>
          </span>
        )}
      </Each>
      {has_other_recipients && (
        <span className={styles.changed}>
          <Icon name="alert" size={14} /> {t('recipients.changed')}
        </span>
      )}
    </div>
  )
}

function OtherSender({ mail: { message_id, from_address, from_name, proof } }: { mail: MailOfConversation }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isMoving, setMoving] = useState(false)
  async function move() {
    setMoving(true)
    await splitOff(message_id)
      .then(({ id }) => {
        navigate(`/conversations/all/${id}`)
        notify({
          kind: 'success',
          title: t('recipients.split'),
          action: { label: t('undo'), keys: 'mod+z', run: () => moveBack(id) },
        })
      })
      .catch((error) => showError(t('recipients.not_split'), error))
    setMoving(false)
  }
  const moveBack = (conversation_id: string) =>
    undoSplitOff(conversation_id)
      .then(({ id }) => navigate(`/conversations/all/${id}`))
      .catch((error) => showError(t('recipients.not_undone'), error))
  return (
    <div className={styles.line} role="note">
      <span>
        <bdi translate="no">{from_name ? `${from_name} <${from_address}>` : from_address}</bdi>{' '}
        {t('recipients.not_customer')}
      </span>
      {proof !== 'pass' && (
        <span className={styles.changed}>
          <Icon name="alert" size={14} /> {t('email.not_verified')}
        </span>
      )}
      <Button variant="text" size="small" loading={isMoving} onClick={move}>
        {t('recipients.split_off')}
      </Button>
    </div>
  )
}
