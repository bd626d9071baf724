import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { HealthReport } from '#contract/operations/health.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { clockTime } from '../../../platform/times.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Page } from '../../../ui/Page.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { ConnectionProblems } from './ConnectionProblems.tsx'
import { DeadJobs } from './DeadJobs.tsx'
import { FailedInbound } from './FailedInbound.tsx'
import { Installation } from './Installation.tsx'
import { PushProblems } from './PushProblems.tsx'
import { healthQuery } from './queries.ts'
import { countTroubles } from './state.ts'
import { WorkTable } from './WorkTable.tsx'

/** Pending work, failures and how to fix them: of the company, and for operators of the installation. */
export function HealthPage() {
  const { t } = useTranslation()
  return (
    <AdminsOnly>
      <Page title={t('health.title')} text={t('health.text')}>
        <Report />
      </Page>
    </AdminsOnly>
  )
}

function Report() {
  const { t } = useTranslation()
  const query = useQuery(healthQuery)
  const report = query.data
  // Outdated figures must not look current.
  if (!report || query.isError) return <QueryView query={query} failed={t('health.failed')} />
  return (
    <>
      <Summary report={report} />
      <Block wide title={t('health.work')} text={t('health.work_text')}>
        <WorkTable label={t('health.work')} report={report} />
      </Block>
      {report.connections.length > 0 && <ConnectionProblems connections={report.connections} />}
      <PushProblems push={report.push} />
      {report.backlogs.some(({ name, count }) => name === 'jobs' && count && count.failed > 0) && <DeadJobs />}
      {report.backlogs.some(({ name, count }) => name === 'inbound_events' && count && count.failed > 0) && (
        <FailedInbound />
      )}
      {report.installation && <Installation report={report} installation={report.installation} />}
    </>
  )
}

function Summary({ report }: { report: HealthReport }) {
  const { t } = useTranslation()
  const { needs, late, interrupted } = countTroubles(report)
  const tone = needs > 0 ? 'danger' : late + interrupted > 0 ? 'warning' : 'success'
  const sentences = [
    needs > 0 && t('health.needs', { count: needs }),
    late > 0 && t('health.late', { count: late }),
    interrupted > 0 && t('health.interrupted', { count: interrupted }),
    needs + late + interrupted === 0 && t('health.all_well'),
  ]
  return (
    <Banner tone={tone}>
      {sentences.filter(Boolean).join(' ')} {t('health.checked', { when: clockTime(report.checked_at) })}
    </Banner>
  )
}
