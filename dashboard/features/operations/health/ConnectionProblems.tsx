import { useTranslation } from 'react-i18next'
import { textKeyOf } from '#contract/connections/kinds.ts'
import type { ConnectionProblem } from '#contract/operations/health.ts'
import { messageTime } from '../../../platform/times.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Table } from '../../../ui/Table.tsx'
import { TONES } from '../../connections/authorizations/StatusPill.tsx'
import { CATALOGUE, pathOf } from '../../connections/integrations/catalogue.ts'
import styles from './Health.module.css'

/** The connections to other systems that do not work at the moment, with the reason. */
export function ConnectionProblems({ connections }: { connections: ConnectionProblem[] }) {
  const { t } = useTranslation()
  const columns = [t('health.columns.what'), t('health.columns.how'), t('health.columns.actions')] as const
  return (
    <Block wide title={t('health.connections')} text={t('health.connections_text')}>
      <Table label={t('health.connections')} columns={[...columns]}>
        <Each name="connection" items={connections} keyOf={(connection) => connection.id}>
          {(connection) => <Row connection={connection} />}
        </Each>
      </Table>
    </Block>
  )
}

function Row({ connection }: { connection: ConnectionProblem }) {
  const { t } = useTranslation()
  const { integration, inbox_id, label, state, problem, problem_at } = connection
  const entry = CATALOGUE.find((candidate) => candidate.integration === integration)
  const name = entry && t(`integrations.entries.${textKeyOf(entry.integration)}`)
  return (
    <tr>
      <td>
        {name} <span className={styles.more}>{label}</span>
      </td>
      <td>
        <Pill tone={TONES[state]}>
          {t(state === 'broken' ? 'connections.states.broken' : 'connections.states.failing')}
        </Pill>{' '}
        {problem} {problem_at && <span className={styles.more}>({messageTime(problem_at)})</span>}
      </td>
      <td>
        {entry && (
          <ButtonLink
            variant="text"
            to={pathOf(entry, inbox_id ?? undefined)}
            aria-label={t('integrations.configure_named', { name })}
          >
            {t('integrations.columns.configure')}
          </ButtonLink>
        )}
      </td>
    </tr>
  )
}
