import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GithubAuthorization } from '#contract/integrations/github.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { StatusPill } from '../../features/connections/authorizations/StatusPill.tsx'
import { HealthCard } from '../../features/connections/integrations/HealthCard.tsx'
import { IntegrationPage } from '../../features/connections/integrations/IntegrationPage.tsx'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { Unread, Unsent } from '../../features/connections/integrations/Problems.tsx'
import { FinishOAuth, useIsReturn } from '../../features/connections/oauth/FinishOAuth.tsx'
import { startOAuth } from '../../features/connections/oauth/start.ts'
import { TokenForm } from '../../features/connections/oauth/TokenForm.tsx'
import { showError } from '../../platform/http/errors.ts'
import { QueryView } from '../../platform/QueryView.tsx'
import { Button } from '../../ui/Button.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Each } from '../../ui/Each.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { ShowMore, usePortion } from '../../ui/Portion.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { connectWithToken, githubQuery, repositoriesQuery, saveSettings } from './queries.ts'

/** The account's GitHub connection: connecting it, its repositories, and its state. */
export function GithubPage() {
  return useIsReturn() ? <FinishOAuth /> : <Connection />
}

function Connection() {
  const { t } = useTranslation()
  const github = useQuery(githubQuery)
  const { data: connected } = useQuery(integrationsQuery)
  const authorization = connected?.data.find(({ id }) => id === github.data?.id)
  return (
    <IntegrationPage
      title="GitHub"
      text={t('github.text')}
      badge={github.data !== undefined && <StatusPill authorization={authorization} />}
      howItWorks={(['link', 'follow', 'safe'] as const).map((step) => t(`github.how.${step}`))}
    >
      {github.data === undefined ? (
        <QueryView query={github} failed={t('github.failed')} />
      ) : (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          <Connect kind={github.data?.kind} />
          <Settings github={github.data} />
          {github.data && <Repositories id={github.data.id} />}
          {authorization && <Unsent authorization={authorization} />}
          {authorization && <Unread authorization_id={authorization.id} />}
        </>
      )}
    </IntegrationPage>
  )
}

function Connect({ kind }: { kind: GithubAuthorization['kind'] | undefined }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isLeaving, setLeaving] = useState(false)
  async function leave() {
    setLeaving(true)
    await startOAuth({ integration: 'github' }).catch((error) => {
      showError('GitHub not opened', error)
      setLeaving(false)
    })
  }
  return (
    <Block title={t(kind ? 'github.change' : 'github.connect')} text={t('github.ways')}>
      <div className={styles.row}>
        <Button variant={kind ? 'plain' : 'primary'} loading={isLeaving} onClick={leave}>
          {t(kind === 'app' ? 'github.change_app' : 'github.use_app')}
        </Button>
      </div>
      <TokenForm
        label={t('github.token')}
        hint={t('github.token_hint')}
        done={t('github.connected')}
        connect={(token) => connectWithToken(client, token)}
      />
    </Block>
  )
}

function Settings({ github }: { github: GithubAuthorization | null }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  if (!github) {
    return (
      <Block title={t('integrations.settings')}>
        <p>{t('connections.not_connected')}</p>
      </Block>
    )
  }
  const change = (closes_issues: boolean) =>
    void saveSettings(client, github.id, { closes_issues }).catch((error) => showError('Settings not saved', error))
  return (
    <Block title={t('integrations.settings')}>
      <dl>
        <Definition name={t('github.account')}>{github.label}</Definition>
        <Definition name={t('github.kind')}>{t(`github.kinds.${github.kind}`)}</Definition>
      </dl>
      <Switch
        label={t('github.closes_issues')}
        hint={t('github.closes_issues_hint')}
        checked={github.settings.closes_issues}
        onChange={change}
      />
    </Block>
  )
}

const FIRST = 20

function Repositories({ id }: { id: string }) {
  const { t } = useTranslation()
  const repositories = useQuery(repositoriesQuery(id))
  const { shown, remaining, showMore } = usePortion(repositories.data ?? [], FIRST)
  return (
    <Block title={t('github.repositories')} text={t('github.repositories_text')}>
      {!repositories.data && <QueryView query={repositories} failed={t('github.repositories_failed')} />}
      {repositories.data?.length === 0 && <p>{t('github.no_repositories')}</p>}
      <ul className={styles.list} aria-label={t('github.repositories')}>
        <Each name="repository" items={shown} keyOf={(repository) => repository.id}>
          {({ full_name, html_url }) => (
            <li>
              <a href={html_url} target="_blank" rel="noopener noreferrer">
                {full_name}
              </a>
            </li>
          )}
        </Each>
      </ul>
      <ShowMore remaining={remaining} label={t('show_more', { count: remaining })} showMore={showMore} />
    </Block>
  )
}
