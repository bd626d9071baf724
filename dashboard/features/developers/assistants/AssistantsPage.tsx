import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Assistant, AssistantSettings } from '#contract/developers/assistants.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { dayTitle, useAges } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { notify } from '../../../ui/notices.ts'
import { Page } from '../../../ui/Page.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { Table } from '../../../ui/Table.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import styles from './Assistants.module.css'
import { assistantSettingsQuery, assistantsQuery, disconnect, useSaveAssistantSettings } from './queries.ts'

/** Programs that act in the name of team members, and whether there may be any. */
export function AssistantsPage() {
  const { t } = useTranslation()
  const settings = useQuery(assistantSettingsQuery)
  return (
    <Page title={t('assistants.title')} text={t('assistants.text')}>
      {settings.data ? (
        <>
          <Settings settings={settings.data} />
          <Connections isEnabled={settings.data.is_enabled} />
        </>
      ) : (
        <QueryView query={settings} failed={t('assistants.failed')} />
      )}
    </Page>
  )
}

function Settings({ settings: { is_enabled, may_send, url } }: { settings: AssistantSettings }) {
  const { t } = useTranslation()
  const isAdmin = useTeam().me.role === 'admin'
  const save = useSaveAssistantSettings(t('assistants.not_saved'))
  const copied = (done: boolean) => done && notify({ kind: 'success', title: t('assistants.copied') })
  return (
    <section className={styles.section} aria-label={t('assistants.settings')}>
      {isAdmin ? (
        <Switch
          label={t('assistants.enable')}
          hint={t('assistants.enable_hint')}
          checked={is_enabled}
          onChange={(checked) => void save({ is_enabled: checked })}
        />
      ) : (
        !is_enabled && <p>{t('assistants.off')}</p>
      )}
      {is_enabled && isAdmin && (
        <Switch
          label={t('assistants.send')}
          hint={t('assistants.send_hint')}
          checked={may_send}
          onChange={(checked) => void save({ may_send: checked })}
        />
      )}
      {is_enabled && (
        <div className={styles.address}>
          <p>{t('assistants.address_text')}</p>
          <CopyField label={t('assistants.address')} value={url} copyLabel={t('copy')} copied={copied} />
        </div>
      )}
    </section>
  )
}

function Connections({ isEnabled }: { isEnabled: boolean }) {
  const { t } = useTranslation()
  const query = useQuery(assistantsQuery)
  if (!query.data) return <QueryView query={query} failed={t('assistants.failed')} />
  if (query.data.length === 0)
    return isEnabled ? (
      <EmptyState drawing="talk" title={t('assistants.none')} text={t('assistants.none_text')} />
    ) : null
  const columns = [t('assistants.program'), t('assistants.may'), t('assistants.actions')] as const
  return (
    <Table label={t('assistants.connected')} columns={columns}>
      <Each name="assistant" items={query.data} keyOf={({ id }) => id}>
        {(assistant) => <Row assistant={assistant} />}
      </Each>
    </Table>
  )
}

function Row({ assistant }: { assistant: Assistant }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const formatAge = useAges()
  const { account } = useTeam()
  const { id, name, redirect_host, scopes, user_id, created_at, last_used_at } = assistant
  const user = account.users.find((candidate) => candidate.id === user_id)
  const run = () => disconnect(client, id).catch((error) => showError(t('assistants.not_disconnected'), error))
  return (
    <tr>
      <td>
        {name} <span className={styles.quiet}>{redirect_host}</span>
        <div className={styles.quiet}>
          {t('assistants.facts', { name: user ? userName(user) : `#${user_id}`, day: dayTitle(created_at) })} ·{' '}
          {last_used_at ? t('assistants.used', { ago: formatAge(last_used_at, 'long') }) : t('assistants.unused')}
        </div>
      </td>
      <td className={styles.scopes}>
        {scopes.map((scope) => (
          <Pill key={scope}>{t(`assistants.scopes.${scope}`)}</Pill>
        ))}
      </td>
      <td>
        <Confirm question={t('assistants.confirm', { name })} yes={t('yes')} no={t('no')} run={run}>
          <Button variant="text" size="small" aria-label={`${t('assistants.disconnect')} ${name}`}>
            {t('assistants.disconnect')}
          </Button>
        </Confirm>
      </td>
    </tr>
  )
}
