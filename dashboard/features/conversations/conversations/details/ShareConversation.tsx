import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SHARE_HOURS } from '#contract/conversations/sharing.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { messageTime } from '../../../../platform/times.ts'
import { Button } from '../../../../ui/Button.tsx'
import { copyText } from '../../../../ui/clipboard.ts'
import { Each } from '../../../../ui/Each.tsx'
import { notify } from '../../../../ui/notices.ts'
import styles from './ConversationDetails.module.css'
import { revokeShare, shareConversation, sharesQuery } from './queries.ts'

/** Creates and revokes public links to a conversation, valid for a day. */
export function ShareConversation({ conversation_id: id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const { link, isSharing, share } = useSharing(id)
  return (
    <section className={styles.section} aria-label={t('conversation.share')}>
      <h3>{t('conversation.share')}</h3>
      <p className={styles.hint}>{t('conversation.share_hint', { hours: SHARE_HOURS })}</p>
      <Button loading={isSharing} onClick={share}>
        {t('conversation.share_make')}
      </Button>
      {link && (
        <input
          className={styles.link}
          readOnly
          value={link}
          aria-label={t('conversation.share_link')}
          onFocus={(event) => event.target.select()}
        />
      )}
      <Shares conversation_id={id} />
    </section>
  )
}

function useSharing(id: string) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [link, setLink] = useState<string>()
  const [isSharing, setSharing] = useState(false)

  async function share() {
    setSharing(true)
    try {
      const address = await shareConversation(client, id)
      setLink(address)
      const isCopied = await copyText(address)
      const text = t('conversation.share_valid', { hours: SHARE_HOURS })
      if (isCopied) notify({ kind: 'success', title: t('conversation.copied'), text })
    } catch (error) {
      showError('Conversation not shared', error)
    }
    setSharing(false)
  }
  return { link, isSharing, share }
}

function Shares({ conversation_id: id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data } = useQuery(sharesQuery(id))
  const revoke = (share_id: string) =>
    revokeShare(client, id, share_id).catch((error) => showError('Link not revoked', error))
  if (!data?.length) return null
  return (
    <ul className={styles.shares} aria-label={t('conversation.share_links')}>
      <Each name="share" items={data} keyOf={(share) => share.id}>
        {(share) => (
          <li>
            <span>{t('conversation.share_until', { time: messageTime(share.expires_at) })}</span>
            <button type="button" onClick={() => revoke(share.id)}>
              {t('conversation.share_revoke')}
            </button>
          </li>
        )}
      </Each>
    </ul>
  )
}
