import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message } from '#contract/conversations/messages.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { PartBoundary } from '../../../../ui/PartBoundary.tsx'
import { mentionedNames } from '../composer/mentions.ts'
import { Attachments } from './Attachments.tsx'
import styles from './Bubble.module.css'
import { MessageForm } from './MessageForm.tsx'
import { MessageText } from './MessageText.tsx'
import { mailSenderOf } from './mail-sender.ts'

const EmailBody = lazyComponent(async () => (await import('./EmailBody.tsx')).EmailBody)

const MailOriginal = lazyComponent(async () => (await import('./MailOriginal.tsx')).MailOriginal)

/** The content of a message: email subject and body, form, text, files. */
export function MessageContent({ message }: { message: Message }) {
  const { t } = useTranslation()
  const { body, customer_id, source, template, attachments, email_subject: subject, email_html: html } = message
  const text = body && (
    <MessageText body={body} customer_id={customer_id} source={source} mentions={mentionedNames(message)} />
  )
  const sender = mailSenderOf(message)
  return (
    <>
      {sender && <div className={styles.subject}>{t('email.from', { address: sender.address })}</div>}
      {message.metadata?.mail_sender_not_verified === true && (
        <div className={styles.subject}>{t('email.not_verified')}</div>
      )}
      {subject && (
        <div className={styles.subject} dir="auto">
          <span className="unseen">{t('email.subject')} </span>
          {subject}
        </div>
      )}
      {template ? (
        <MessageForm template={template}>{text}</MessageForm>
      ) : html ? (
        <Suspense fallback={text}>
          <PartBoundary name={`mail ${message.id}`} shows={html} fallback={text}>
            <EmailBody html={html} />
          </PartBoundary>
        </Suspense>
      ) : (
        text
      )}
      {message.metadata?.ses_message_id !== undefined && !html && (
        <Suspense>
          <MailOriginal message_id={message.id} />
        </Suspense>
      )}
      <Attachments files={attachments} seconds={voiceSeconds(message)} />
    </>
  )
}

function voiceSeconds({ metadata }: Message): number | undefined {
  const seconds = metadata?.voice_seconds
  return typeof seconds === 'number' && seconds > 0 ? seconds : undefined
}
