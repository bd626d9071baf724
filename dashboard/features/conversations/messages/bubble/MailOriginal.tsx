import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageMail } from '#contract/mail/message-mails.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { Button } from '../../../../ui/Button.tsx'
import { EmailBody } from './EmailBody.tsx'
import { fetchMail } from './queries.ts'

/** On request, the original email with its recipients. */
export function MailOriginal({ message_id }: { message_id: string }) {
  const { t } = useTranslation()
  const [mail, setMail] = useState<MessageMail>()
  const [isLoading, setLoading] = useState(false)
  async function show() {
    setLoading(true)
    await fetchMail(message_id)
      .then(setMail)
      .catch((error) => showError(t('email.original_failed'), error))
    setLoading(false)
  }
  if (!mail) {
    return (
      <Button variant="text" size="small" loading={isLoading} onClick={show}>
        {t('email.original')}
      </Button>
    )
  }
  const others = [...mail.recipients, ...mail.cc].join(', ')
  return (
    <>
      <p>{t('email.addressed', { from: mail.from_address ?? '', to: others })}</p>
      {mail.html ? <EmailBody html={mail.html} /> : <p>{t('email.plain')}</p>}
    </>
  )
}
