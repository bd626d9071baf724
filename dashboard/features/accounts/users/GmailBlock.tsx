import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { startOAuth } from '../../connections/oauth/start.ts'
import { disconnectGmail, gmailQuery } from './queries.ts'

/** The user's own Gmail, from which their replies by email are sent. */
export function GmailBlock() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const gmail = useQuery(gmailQuery)
  const [isLeaving, setLeaving] = useState(false)
  async function connect() {
    setLeaving(true)
    try {
      await startOAuth({ integration: 'gmail', type: 'personal' })
    } catch (error) {
      showError('Gmail not opened', error)
      setLeaving(false)
    }
  }
  const disconnect = (id: string) => () =>
    disconnectGmail(client, id).catch((error) => showError('Gmail not disconnected', error))
  return (
    <Block title={t('profile.gmail.title')} text={t('profile.gmail.text')}>
      {gmail.data ? (
        <>
          <p>{gmail.data.email ?? t('profile.gmail.none')}</p>
          <Button loading={isLeaving} onClick={connect}>
            {t(gmail.data.id ? 'profile.gmail.reconnect' : 'profile.gmail.connect')}
          </Button>{' '}
          {gmail.data.id && (
            <Confirm question={t('profile.gmail.confirm')} yes={t('yes')} no={t('no')} run={disconnect(gmail.data.id)}>
              <Button variant="text">{t('profile.gmail.disconnect')}</Button>
            </Confirm>
          )}
        </>
      ) : (
        <QueryView query={gmail} failed={t('profile.gmail.failed')} />
      )}
    </Block>
  )
}
