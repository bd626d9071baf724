import { useQuery } from '@tanstack/react-query'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Authorization } from '#contract/connections/integrations.ts'
import { textKeyOf } from '#contract/connections/kinds.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { shortDate } from '../../../platform/times.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { OptionalCell, Table } from '../../../ui/Table.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { ChannelSign } from '../../widget/inboxes/ChannelSign.tsx'
import { installationQuery } from '../../widget/inboxes/installation.ts'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'
import { forwardingQuery, integrationsQuery } from '../authorizations/queries.ts'
import { StatusPill } from '../authorizations/StatusPill.tsx'
import { CATALOGUE, type Entry, pathOf } from './catalogue.ts'
import styles from './Integrations.module.css'

/** All integrations with their state. */
export function IntegrationsPage() {
  return (
    <AdminsOnly>
      <Overview />
    </AdminsOnly>
  )
}

const SECTIONS = ['popular', 'source', 'reply', 'account'] as const

function Overview() {
  const { t } = useTranslation()
  const connected = useQuery(integrationsQuery)
  return (
    <Page title={t('integrations.title')} text={t('integrations.text')}>
      <Banner>
        <Trans i18nKey="integrations.per_inbox" components={{ inboxes: <Link to="/inboxes">.</Link> }} />
      </Banner>
      {connected.data?.is_on === false && <Banner tone="warning">{t('integrations.off')}</Banner>}
      {connected.data ? (
        SECTIONS.map((section) => <Section key={section} section={section} connected={connected.data.data} />)
      ) : (
        <QueryView query={connected} failed={t('integrations.failed')} />
      )}
    </Page>
  )
}

function Section({ section, connected }: { section: (typeof SECTIONS)[number]; connected: Authorization[] }) {
  const { t } = useTranslation()
  // Each once: who looks for a popular one finds it at the top.
  const entries = CATALOGUE.filter((entry) => (entry.isPopular ? 'popular' : entry.section) === section)
  const rows = entries.flatMap((entry): RowProps[] => {
    const own = connected.filter(({ integration }) => integration === entry.integration)
    return own.length > 0
      ? own.map((authorization) => ({ entry, authorization }))
      : [{ entry, authorization: undefined }]
  })
  const columns = ['integration', 'status', 'since', 'configure'] as const
  const title = t(`integrations.sections.${section}`)
  return (
    <section aria-label={title} className={styles.section}>
      <h2 className={styles.heading}>{title}</h2>
      <Table
        label={title}
        columns={columns.map((name) => t(`integrations.columns.${name}`)) as [string, ...string[], string]}
      >
        <Each
          name="integration"
          items={rows}
          keyOf={({ entry, authorization }) => authorization?.id ?? entry.integration}
        >
          {(row) => <Row {...row} />}
        </Each>
      </Table>
    </section>
  )
}

interface RowProps {
  entry: Entry
  authorization: Authorization | undefined
}

function Row({ entry, authorization }: RowProps) {
  const { t } = useTranslation()
  const { data: inboxes = [] } = useQuery(inboxesQuery)
  const inbox_id = authorization?.inbox_id ?? inboxes.find(({ is_primary }) => is_primary)?.id
  const inbox = inboxes.find(({ id }) => id === authorization?.inbox_id)
  const key = textKeyOf(entry.integration)
  const name = t(`integrations.entries.${key}`)
  return (
    <tr>
      <td>
        <span className={styles.entry}>
          <ChannelSign name={entry.integration} />
          <span>
            <span className={styles.name}>{name}</span>
            <span className={styles.quiet}>
              {authorization
                ? [authorization.label, inbox?.name].filter(Boolean).join(' · ')
                : t(`integrations.entries.${key}_text`)}
            </span>
          </span>
        </span>
      </td>
      <EntryState entry={entry} authorization={authorization} inbox_id={inbox_id} />
      <td>
        <Link to={pathOf(entry, inbox_id)} aria-label={t('integrations.configure_named', { name })}>
          {t('integrations.columns.configure')}
        </Link>
      </td>
    </tr>
  )
}

interface EntryStateProps {
  entry: Entry
  authorization: Authorization | undefined
  inbox_id: string | undefined
}

/** Chat and forwarding addresses are not connections, so their state comes from elsewhere. */
function EntryState({ entry: { integration }, authorization, inbox_id }: EntryStateProps) {
  const { t } = useTranslation()
  const chat = useQuery({ ...installationQuery(inbox_id ?? ''), enabled: integration === 'chat' && !!inbox_id })
  const forwarding = useQuery({ ...forwardingQuery, enabled: integration === 'ses' })
  const since = authorization?.created_at ?? forwarding.data?.[0]?.created_at
  const isElsewhere = integration === 'chat' || integration === 'ses'
  const own = integration === 'chat' ? chat : forwarding
  const isThere = integration === 'chat' ? !!chat.data?.host : !!forwarding.data?.length
  return (
    <>
      <td>
        {isElsewhere && !own.data ? null : isElsewhere && isThere ? (
          <Pill tone="success">{t('connections.states.connected')}</Pill>
        ) : (
          <StatusPill authorization={authorization} />
        )}
      </td>
      <OptionalCell label={t('integrations.columns.since')}>{since && shortDate(since)}</OptionalCell>
    </>
  )
}
