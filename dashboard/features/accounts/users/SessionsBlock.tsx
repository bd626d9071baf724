import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuthSession } from '#contract/accounts/auth-sessions.ts'
import { deviceName } from '../../../platform/device-name.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useAges } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Bone } from '../../../ui/Skeleton.tsx'
import styles from './ProfilePage.module.css'
import { endOtherSessions, endSession, sessionsQuery } from './queries.ts'

const OTHERS = 'others'

/** The user's sessions, with a button to end each. */
export function SessionsBlock() {
  const { t } = useTranslation()
  const query = useQuery(sessionsQuery)
  const { data } = query
  return (
    <Block title={t('profile.sessions')} text={t('profile.sessions_text')}>
      {data ? (
        <Sessions sessions={data} />
      ) : (
        <QueryView query={query} failed={t('profile.sessions_failed')} loading={<Bone width="60%" />} />
      )}
    </Block>
  )
}

function Sessions({ sessions }: { sessions: AuthSession[] }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [ending, setEnding] = useState<string>()
  const end = async (what: string, work: Promise<unknown>) => {
    setEnding(what)
    await work.catch((error) => showError('Session not ended', error))
    setEnding(undefined)
  }
  return (
    <>
      <ul className={styles.sessions}>
        <Each name="session" items={sessions} keyOf={(session) => session.id}>
          {(session) => (
            <SessionRow
              session={session}
              ending={ending === session.id}
              end={() => end(session.id, endSession(client, session.id))}
            />
          )}
        </Each>
      </ul>
      {sessions.length > 1 && (
        <div>
          <Button loading={ending === OTHERS} onClick={() => end(OTHERS, endOtherSessions(client))}>
            {t('profile.end_others')}
          </Button>
        </div>
      )}
    </>
  )
}

interface RowProps {
  session: AuthSession
  ending: boolean
  end: () => void
}

function SessionRow({ session, ending, end }: RowProps) {
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
        <Button variant="text" loading={ending} onClick={end}>
          {t('profile.sign_out')}
          <span className="unseen"> {device}</span>
        </Button>
      )}
    </li>
  )
}
