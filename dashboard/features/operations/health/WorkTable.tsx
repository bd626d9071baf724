import { useTranslation } from 'react-i18next'
import type { BacklogName, BacklogOf, HealthReport } from '#contract/operations/health.ts'
import { useAges } from '../../../platform/times.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Table } from '../../../ui/Table.tsx'
import styles from './Health.module.css'
import { stateOf, TONES } from './state.ts'

/** The pages where failed work can be viewed and retried. Jobs are on this page. */
const PLACES = {
  mails: '/settings/account',
  webhooks: '/developers/event-subscriptions',
  deliveries: '/integrations',
  inbound_events: '/integrations',
  function_runs: '/functions',
} satisfies Partial<Record<BacklogName, string>>

/** The company's work by kind: its state, what to do, and a link. */
export function WorkTable({ label, report }: { label: string; report: HealthReport }) {
  const { t } = useTranslation()
  return (
    <Table label={label} columns={[t('health.columns.what'), t('health.columns.how'), t('health.columns.actions')]}>
      <Each name="backlog" items={report.backlogs} keyOf={(backlog) => backlog.name}>
        {(backlog) => (
          <tr>
            <td>{t(`health.kinds.${backlog.name}`)}</td>
            <td>
              <Count backlog={backlog} checked_at={report.checked_at} />
              <More name={backlog.name} report={report} />
            </td>
            <td>{backlog.name !== 'jobs' && <Open name={backlog.name} />}</td>
          </tr>
        )}
      </Each>
    </Table>
  )
}

/** The totals of all companies, whose own admins see what to do. */
export function TotalsTable({
  label,
  backlogs,
  checked_at,
}: {
  label: string
  backlogs: BacklogOf[]
  checked_at: string
}) {
  const { t } = useTranslation()
  return (
    <Table label={label} columns={[t('health.columns.what'), t('health.columns.how')]}>
      <Each name="backlog" items={backlogs} keyOf={(backlog) => backlog.name}>
        {(backlog) => (
          <tr>
            <td>{t(`health.kinds.${backlog.name}`)}</td>
            <td className={styles.total}>
              <Count backlog={backlog} checked_at={checked_at} isTotal />
            </td>
          </tr>
        )}
      </Each>
    </Table>
  )
}

interface CountProps {
  backlog: BacklogOf
  checked_at: string
  isTotal?: boolean
}

function Count({ backlog, checked_at, isTotal = false }: CountProps) {
  const { t } = useTranslation()
  const ages = useAges()
  const { name, count } = backlog
  const state = stateOf(backlog)
  const since = new Date(Date.parse(checked_at) - (count?.overdue_seconds ?? 0) * 1000).toISOString()
  const sentences = [
    !count && t('health.unknown'),
    count && count.failed > 0 && t('health.failures', { count: count.failed }),
    count && count.waiting > 0 && t('health.waiting', { count: count.waiting }),
    state === 'well' && t('health.nothing'),
    state === 'late' && t('health.due_since', { age: ages(since, 'long') }),
    !isTotal && (state === 'failed' || state === 'late') && t(`health.to_do.${state}.${name}`),
  ]
  return (
    <>
      <Pill tone={TONES[state]}>{t(`health.states.${state}`)}</Pill> {sentences.filter(Boolean).join(' ')}
    </>
  )
}

/** Problems of the webhooks and connections themselves. */
function More({ name, report }: { name: BacklogName; report: HealthReport }) {
  const { t } = useTranslation()
  const { failing, switched_off } = report.webhooks
  const sentences = [
    name === 'webhooks' && failing > 0 && t('health.webhooks_failing', { count: failing }),
    name === 'webhooks' && switched_off > 0 && t('health.webhooks_off', { count: switched_off }),
    name === 'deliveries' && report.broken_connections > 0 && t('health.broken', { count: report.broken_connections }),
  ].filter(Boolean)
  return sentences.length > 0 && <div className={styles.more}>{sentences.join(' ')}</div>
}

function Open({ name }: { name: keyof typeof PLACES }) {
  const { t } = useTranslation()
  return (
    <ButtonLink variant="text" to={PLACES[name]}>
      {t(`health.open.${name}`)}
    </ButtonLink>
  )
}
