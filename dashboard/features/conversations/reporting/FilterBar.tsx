import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { CONVERSATION_SOURCES } from '#contract/conversations/sources.ts'
import { Check } from '../../../ui/Check.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { teamsQuery } from '../../accounts/teams/queries.ts'
import { tagsQuery } from '../../customers/tags/queries.ts'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'
import styles from './Reporting.module.css'
import type { ReportSettings } from './useReportSettings.ts'

/** What can restrict a report; in the address, too. */
const FILTERS = ['inbox_id', 'source', 'assignee_id', 'team_id', 'tag_id'] as const

/** Filters and options of the report. */
export function FilterBar({ settings: { question, compare, set } }: { settings: ReportSettings }) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const { data: inboxes = [] } = useQuery(inboxesQuery)
  const { data: teams = [] } = useQuery(teamsQuery)
  const { data: tags = [] } = useQuery(tagsQuery)
  const { inbox_id, source, assignee_id, team_id, tag_id, working_hours } = question
  const isFiltered = FILTERS.some((name) => question[name])
  return (
    <div className={styles.bar}>
      <Filter
        label={t('reporting.filters.inbox')}
        all={t('reporting.filters.all_inboxes')}
        value={inbox_id}
        options={inboxes.map(({ id, name }) => [id, name])}
        choose={(value) => set({ inbox_id: value })}
      />
      <Filter
        label={t('reporting.filters.source')}
        all={t('reporting.filters.all_sources')}
        value={source}
        options={CONVERSATION_SOURCES.map((sourceName) => [sourceName, t(`sources.${sourceName}`)])}
        choose={(value) => set({ source: value })}
      />
      <Filter
        label={t('reporting.filters.assignee')}
        all={t('reporting.filters.everybody')}
        value={assignee_id === undefined ? undefined : String(assignee_id)}
        options={[
          ['nobody', t('reporting.filters.nobody')],
          ...account.users.map((user) => [String(user.id), userName(user)] as const),
        ]}
        choose={(value) => set({ assignee_id: value })}
      />
      {teams.length > 0 && (
        <Filter
          label={t('reporting.filters.team')}
          all={t('reporting.filters.all_teams')}
          value={team_id}
          options={teams.map(({ id, name }) => [id, name])}
          choose={(value) => set({ team_id: value })}
        />
      )}
      <Filter
        label={t('reporting.filters.tag')}
        all={t('reporting.filters.all_tags')}
        value={tag_id}
        options={tags.map(({ id, name }) => [id, name])}
        choose={(value) => set({ tag_id: value })}
      />
      {isFiltered && (
        <button
          type="button"
          className={styles.clear}
          onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
        >
          {t('reporting.filters.clear')}
        </button>
      )}
      <Check
        label={t('reporting.compare')}
        checked={compare}
        onChange={(isChecked) => set({ compare: isChecked ? 'true' : undefined })}
      />
      {account.working_hours.length > 0 && (
        <Check
          label={t('reporting.working_hours')}
          checked={working_hours}
          onChange={(isChecked) => set({ working_hours: isChecked ? 'true' : undefined })}
        />
      )}
    </div>
  )
}

interface FilterProps {
  label: string
  /** The option for no filter. */
  all: string
  value: string | undefined
  options: readonly (readonly [value: string, name: string])[]
  choose: (value: string | undefined) => void
}

function Filter({ label, all, value, options, choose }: FilterProps) {
  return (
    <label>
      {label}
      <select value={value ?? ''} onChange={({ target }) => choose(target.value || undefined)}>
        <option value="">{all}</option>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
