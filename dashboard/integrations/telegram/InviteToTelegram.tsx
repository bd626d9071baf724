import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { readDraft, writeDraft } from '../../features/conversations/messages/drafts/drafts.ts'
import { showError } from '../../platform/http/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { notify } from '../../ui/notices.ts'
import { inviteToTelegram } from './queries.ts'

/**
 * Writes a link into the reply with which the customer goes on in Telegram. Shown where a bot is connected, except in
 * Telegram itself.
 */
export function InviteToTelegram({ conversation: { id, source } }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { data: connected } = useQuery(integrationsQuery)
  const [isInviting, setInviting] = useState(false)
  const hasBot = connected?.data.some(({ integration }) => integration === 'telegram')
  if (!hasBot || source === 'telegram') return null
  async function invite() {
    setInviting(true)
    try {
      const text = t('telegram.invitation', { url: await inviteToTelegram(id) })
      const draft = readDraft(id)
      writeDraft(id, { ...draft, body: [draft.body, text].filter((part) => part.trim()).join('\n') })
      notify({ kind: 'success', title: t('telegram.invited'), text: t('telegram.invited_text') })
    } catch (error) {
      showError(t('telegram.not_invited'), error)
    }
    setInviting(false)
  }
  return (
    <Button block icon={<Icon name="send" size={18} />} loading={isInviting} onClick={invite}>
      {t('telegram.invite')}
    </Button>
  )
}
