import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { DeadlinePolicy } from '#contract/conversations/deadlines.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { showError } from '../../../platform/http/errors.ts'
import { RowActions } from '../../../platform/RowActions.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { tagsQuery } from '../../customers/tags/queries.ts'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'
import styles from './PolicyRow.module.css'
import { changePolicy, deletePolicy, movePolicy } from './queries.ts'

interface RowProps {
  policy: DeadlinePolicy
  /** Its index in the list of all. */
  at: number
  all: DeadlinePolicy[]
  edit: () => void
}

export function PolicyRow({ policy, at, all, edit }: RowProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
    onError: (error) => showError('Policy not changed', error),
  })
  const { id, name, is_active } = policy
  const move = (by: -1 | 1) => mutate(() => movePolicy(client, all, at, by))
  return (
    <tr>
      <td>
        <span className={styles.name}>{name}</span> {!is_active && <Pill>{t('policies.off')}</Pill>}
        <Scope policy={policy} />
      </td>
      <td>
        <Times policy={policy} />
      </td>
      <td>
        <RowActions
          name={name}
          order={{
            up: `${t('policies.up')}: ${name}`,
            down: `${t('policies.down')}: ${name}`,
            at,
            count: all.length,
            disabled: isPending,
            move,
          }}
          edit={edit}
          question={t('policies.confirm', { name })}
          remove={() => mutateAsync(() => deletePolicy(client, id)).catch(() => undefined)}
        >
          <Button
            variant="text"
            size="small"
            aria-label={`${t(is_active ? 'policies.switch_off' : 'policies.switch_on')}: ${name}`}
            disabled={isPending}
            onClick={() => mutate(() => changePolicy(client, id, { is_active: !is_active }))}
          >
            {t(is_active ? 'policies.switch_off' : 'policies.switch_on')}
          </Button>
        </RowActions>
      </td>
    </tr>
  )
}

/** Which conversations it fits. */
function Scope({ policy: { inbox_ids, tag_ids, priority } }: Pick<RowProps, 'policy'>) {
  const { t } = useTranslation()
  const { data: inboxes = [] } = useQuery(inboxesQuery)
  const { data: tags = [] } = useQuery(tagsQuery)
  const parts = [
    ...inboxes.filter(({ id }) => inbox_ids.includes(id)).map(({ name }) => name),
    ...tags.filter(({ id }) => tag_ids.includes(id)).map(({ name }) => name),
    ...(priority ? [t(`policies.priorities.${priority}`)] : []),
  ]
  const isAll = inbox_ids.length === 0 && tag_ids.length === 0 && !priority
  return <div className={styles.quiet}>{isAll ? t('policies.all') : parts.join(' · ') || t('policies.deleted')}</div>
}

const KINDS = ['first_reply', 'next_reply', 'resolution'] as const

function Times({ policy }: Pick<RowProps, 'policy'>) {
  const { t } = useTranslation()
  return (
    <>
      {KINDS.map((kind) => {
        const minutes = policy[`${kind}_minutes`]
        return minutes && <div key={kind}>{`${t(`deadlines.kinds.${kind}`)}: ${writeMinutes(minutes)}`}</div>
      })}
      <div className={styles.quiet}>
        {t(policy.in_working_hours ? 'policies.in_hours_short' : 'policies.around_the_clock')}
      </div>
    </>
  )
}

function writeMinutes(minutes: number): string {
  const isWhole = minutes % 60 === 0
  const unit = isWhole ? 'hour' : 'minute'
  return formatNumber(isWhole ? minutes / 60 : minutes, { style: 'unit', unit, unitDisplay: 'short' })
}
