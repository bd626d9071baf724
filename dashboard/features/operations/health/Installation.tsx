import { useTranslation } from 'react-i18next'
import { vendorName } from '#contract/connections/kinds.ts'
import type { HealthReport, InstallationHealth, ServerSeen } from '#contract/operations/health.ts'
import { formatSize } from '../../../platform/formats.ts'
import { messageTime } from '../../../platform/times.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Definition } from '../../../ui/Definition.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Table } from '../../../ui/Table.tsx'
import styles from './Health.module.css'
import { isClockOff, isConsumerLate, problemsOf } from './state.ts'
import { TotalsTable } from './WorkTable.tsx'

/** Servers, database and disk, for operators of the installation. */
export function Installation({ report, installation }: { report: HealthReport; installation: InstallationHealth }) {
  const { t } = useTranslation()
  const { servers, backlogs, companies } = installation
  return (
    <>
      <Block wide title={t('health.installation')} text={t('health.installation_text')}>
        <Each name="problem" items={problemsOf(report)} keyOf={(problem) => problem} fallback={() => <Undrawn />}>
          {(problem) => (
            <Banner tone={problem === 'backup' || problem === 'versions' ? 'warning' : 'danger'}>
              {t(`health.problems.${problem}`)}
            </Banner>
          )}
        </Each>
        {installation.mail_problem && (
          <Banner tone="danger">{t('health.mail_problem', { problem: installation.mail_problem })}</Banner>
        )}
        <RefusedCalls installation={installation} />
        <Facts installation={installation} />
      </Block>
      <Block wide title={t('health.servers')}>
        <Table label={t('health.servers')} columns={[t('health.server'), t('health.version'), t('health.state')]}>
          <Each name="server" items={servers} keyOf={(server) => server.id}>
            {(server) => <ServerRow server={server} />}
          </Each>
        </Table>
      </Block>
      {companies > 1 && (
        <Block wide title={t('health.everybody')}>
          <TotalsTable label={t('health.everybody')} backlogs={backlogs} checked_at={report.checked_at} />
        </Block>
      )}
    </>
  )
}

/** Calls with an invalid signature: a wrong secret, or an attack. Only the admin can tell which. */
function RefusedCalls({ installation }: { installation: InstallationHealth }) {
  const { t } = useTranslation()
  return (
    <Each
      name="refused calls"
      items={installation.refused_signatures}
      keyOf={({ system }) => system}
      fallback={() => <Undrawn />}
    >
      {({ system, count, first_at, last_at }) => (
        <Banner tone="warning">
          {t('health.refused_calls', {
            count,
            system: vendorName(system) ?? t('health.mail_relays'),
            since: messageTime(first_at),
            last: messageTime(last_at),
          })}
        </Banner>
      )}
    </Each>
  )
}

function Facts({ installation }: { installation: InstallationHealth }) {
  const { t } = useTranslation()
  const { database_bytes, disk, backed_up_at, sends_mail, mail_problem, consumers } = installation
  const late = consumers.filter(isConsumerLate).map(({ name }) => name)
  return (
    <dl className={styles.facts}>
      <Definition name={t('health.database_size')}>{database_bytes !== null && formatSize(database_bytes)}</Definition>
      <Definition name={t('health.disk_free')}>
        {disk && t('health.disk_of', { free: formatSize(disk.free_bytes), total: formatSize(disk.total_bytes) })}
      </Definition>
      <Definition name={t('health.consumers')}>
        {late.length > 0 ? t('health.consumers_behind', { names: late.join(', ') }) : t('health.consumers_well')}
      </Definition>
      <Definition name={t('health.mail_server')}>
        {t(mail_problem ? 'health.mail_unusable' : sends_mail ? 'health.mail_set' : 'health.mail_unset')}
      </Definition>
      <Definition name={t('health.backup')}>
        {backed_up_at ? messageTime(backed_up_at) : t('health.no_backup')}
      </Definition>
    </dl>
  )
}

function ServerRow({ server }: { server: ServerSeen }) {
  const { t } = useTranslation()
  const { name, version, started_at, is_missing, is_this, clock_ahead_seconds } = server
  return (
    <tr>
      <td>
        {name} {is_this && <span className={styles.more}>({t('health.this_server')})</span>}
      </td>
      <td>
        {version} <span className={styles.more}>{t('health.since', { when: messageTime(started_at) })}</span>
      </td>
      <td>
        <Pill tone={is_missing ? 'danger' : 'success'}>{t(is_missing ? 'health.missing' : 'health.running')}</Pill>{' '}
        {isClockOff(server) && (
          <span className={styles.more}>{t('health.clock_off', { seconds: Math.abs(clock_ahead_seconds ?? 0) })}</span>
        )}
      </td>
    </tr>
  )
}
