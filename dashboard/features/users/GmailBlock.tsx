import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { google } from '#contract/google.ts'
import { oauth } from '#contract/oauth.ts'
import { call } from '../../platform/http/api.ts'
import { showError } from '../../platform/http/errors.ts'
import { QueryView } from '../../platform/QueryView.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { userKeys } from './keys.ts'

const gmailQuery = queryOptions({
  queryKey: userKeys.gmail,
  queryFn: async ({ signal }) => {
    const [authorization, profile] = await Promise.all([
      call(google.get, { query: { client: 'gmail', type: 'personal' }, signal }),
      call(google.profile, { query: { type: 'personal' }, signal }),
    ])
    return { id: authorization.data?.id, email: profile.data?.email }
  },
  refetchOnMount: 'always',
})

/** One's own Gmail, from which one's answers by email leave. */
export function GmailBlock() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const gmail = useQuery(gmailQuery)
  const [isLeaving, setLeaving] = useState(false)
  async function connect() {
    setLeaving(true)
    try {
      const { data } = await call(oauth.start, { body: { integration: 'gmail', type: 'personal' } })
      location.assign(data.url)
    } catch (error) {
      showError('Gmail not opened', error)
      setLeaving(false)
    }
  }
  const disconnect = (id: string) => async () => {
    await call(google.remove, { params: { id } }).catch((error) => showError('Gmail not disconnected', error))
    await client.invalidateQueries({ queryKey: userKeys.gmail })
  }
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
