import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StoredMail } from '#contract/mail/mails.ts'
import { parseLinks } from '#contract/text/inline.ts'
import { errorText, showError } from '../../../platform/http/errors.ts'
import { messageTime } from '../../../platform/times.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { notify } from '../../../ui/notices.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { Table } from '../../../ui/Table.tsx'
import styles from './Mails.module.css'
import { mailQuery, mailsQuery, retryMail, sendUnsentMails } from './queries.ts'

/** Emails of the company. Without a mail server they can only be read here. */
export function Mails() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<{ id: string; open: boolean }>()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(mailsQuery)
  const retry = (id: string) =>
    retryMail(client, id)
      .then(() => notify({ kind: 'success', title: t('mails.retried') }))
      .catch((failure) => showError('Mail not sent', failure))
  if (error && !data) {
    return (
      <Block wide title={t('mails.title')}>
        <LoadFailed title={t('mails.list_failed')} text={errorText(error)} retryLabel={t('retry')} retry={refetch} />
      </Block>
    )
  }
  if (!data) return null
  return (
    <Block wide title={t('mails.title')} text={t(data.is_mail_server_set ? 'mails.text' : 'mails.no_server')}>
      <div>
        <ButtonLink to="/developers/_templates">{t('mails.templates')}</ButtonLink>
      </div>
      {data.is_mail_server_set && data.kept_count > 0 && <SendOldMails count={data.kept_count} />}
      {data.data.length === 0 ? (
        <p className={styles.none}>{t('mails.none')}</p>
      ) : (
        <Table label={t('mails.title')} columns={[t('mails.to'), t('mails.subject'), t('mails.open')]}>
          <Each name="mail" items={data.data} keyOf={(mail) => mail.id}>
            {(mail) => (
              <tr>
                <td>{mail.recipient}</td>
                <td dir="auto">
                  {mail.subject} <State mail={mail} isServerSet={data.is_mail_server_set} />
                  {mail.failure && !mail.sent_at && <div className={styles.failure}>{mail.failure}</div>}
                  <div className={styles.time}>{messageTime(mail.created_at)}</div>
                </td>
                <td>
                  <Button variant="text" onClick={() => setOpened({ id: mail.id, open: true })}>
                    {t('mails.open')}
                    <span className="unseen"> {mail.subject}</span>
                  </Button>
                  {data.is_mail_server_set && !mail.sent_at && (
                    <Button variant="text" onClick={() => retry(mail.id)}>
                      {t('mails.retry')}
                      <span className="unseen"> {mail.subject}</span>
                    </Button>
                  )}
                </td>
              </tr>
            )}
          </Each>
        </Table>
      )}
      {opened && <MailDialog {...opened} close={() => setOpened({ ...opened, open: false })} />}
    </Block>
  )
}

/** Asks whether old emails, written while there was no mail server, should still be sent. */
function SendOldMails({ count }: { count: number }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const sendAll = () =>
    sendUnsentMails(client).then(
      () => void notify({ kind: 'success', title: t('mails.retried') }),
      (failure) => showError('Mails not sent', failure),
    )
  return (
    <div className={styles.bar}>
      <p>{t('mails.unsent_before', { count })}</p>
      <Confirm question={t('mails.confirm_send', { count })} yes={t('yes')} no={t('no')} run={sendAll}>
        <Button size="small">{t('mails.send_unsent')}</Button>
      </Confirm>
    </div>
  )
}

function State({ mail, isServerSet }: { mail: StoredMail; isServerSet: boolean }) {
  const { t } = useTranslation()
  if (mail.failed_at) return <Pill tone="danger">{t('mails.failed')}</Pill>
  if (mail.sent_at || !isServerSet) return null
  if (mail.tries > 0) return <Pill tone="warning">{t('mails.tried', { count: mail.tries })}</Pill>
  return <Pill tone="warning">{t(mail.kept_at ? 'mails.unsent' : 'mails.waiting')}</Pill>
}

function MailDialog({ id, open, close }: { id: string; open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const { data: mail, error, refetch } = useQuery(mailQuery(id))
  const title = mail?.subject ?? t(error ? 'mails.title' : 'loading')
  return (
    <Dialog title={title} open={open} close={close} size={640}>
      {error && !mail && (
        <LoadFailed title={t('mails.one_failed')} text={errorText(error)} retryLabel={t('retry')} retry={refetch} />
      )}
      {mail?.failure && <p className={styles.failure}>{mail.failure}</p>}
      {mail && <p className={styles.text}>{mail.text ? <WithLinks text={mail.text} /> : t('mails.forgotten')}</p>}
    </Dialog>
  )
}

/** Makes links clickable: without a mail server, this is where people follow them. */
function WithLinks({ text }: { text: string }) {
  return parseLinks(text).map((part, at) =>
    part.type === 'link' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
      <a key={at} href={part.href}>
        {part.children.map((child) => 'text' in child && child.text)}
      </a>
    ) : (
      'text' in part && part.text
    ),
  )
}
