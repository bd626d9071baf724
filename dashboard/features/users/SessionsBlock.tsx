import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { type AuthSession, authSessions } from '#contract/auth-sessions.ts'
import { call } from '../../api.ts'
import { showError } from '../../errors.ts'
import { useAges } from '../../times.ts'
import { Block } from '../../ui/EditBlock.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { deviceName } from './device-name.ts'
import styles from './ProfilePage.module.css'

const KEY = ['auth-sessions']

/** Where one is signed in, and the way out of each. */
export function SessionsBlock() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: sessions } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await call(authSessions.list, { signal })).data,
  })
  const change = async (work: Promise<unknown>) => {
    await work.catch((error) => showError('Session not ended', error))
    client.invalidateQueries({ queryKey: KEY })
  }
  if (!sessions) return null
  return (
    <Block title={t('profile.sessions')} text={t('profile.sessions_text')}>
      <ul className={styles.sessions}>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            end={() => change(call(authSessions.end, { params: { id: session.id } }))}
          />
        ))}
      </ul>
      {sessions.length > 1 && (
        <div>
          <Button onClick={() => change(call(authSessions.endOthers, {}))}>{t('profile.end_others')}</Button>
        </div>
      )}
    </Block>
  )
}

function SessionRow({ session, end }: { session: AuthSession; end: () => void }) {
  const { t } = useTranslation()
  const age = useAges()
  const device = deviceName(session.user_agent ?? '') || t('profile.unknown_device')
  return (
    <li className={styles.session}>
      <span>
        {device} {session.is_current && <Pill tone="success">{t('profile.this_browser')}</Pill>}
        <span className={styles.about} style={{ display: 'block' }}>
          {session.address} · {t('profile.last_used', { age: age(session.renewed_at, 'long') })}
        </span>
      </span>
      {!session.is_current && (
        <Button type="text" onClick={end}>
          {t('profile.sign_out')}
          <span className="unseen"> {device}</span>
        </Button>
      )}
    </li>
  )
}
