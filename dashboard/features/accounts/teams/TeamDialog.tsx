import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Team } from '#contract/accounts/teams.ts'
import { userName } from '#contract/accounts/users.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Check } from '../../../ui/Check.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { MultiSelect } from '../../../ui/MultiSelect.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'
import { assignable, useTeam } from '../accounts/account.ts'
import { saveTeam } from './saving.ts'
import { draftOf, formOf, NEW_TEAM, type TeamForm } from './team-form.ts'

const MODES = ['by_hand', 'in_turn', 'least_open'] as const
/** Minutes; 0 is never. */
const RETURN_AFTER = [0, 15, 30, 60, 240, 1440] as const

interface DialogProps {
  /** The team to edit; without it a new one is created. */
  team?: Team
  open: boolean
  close: () => void
}

/** Creates or edits a team. */
export function TeamDialog({ team, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: inboxes = [] } = useQuery(inboxesQuery)
  const [form, setForm] = useState(team ? formOf(team) : NEW_TEAM)
  const change = (changes: Partial<TeamForm>) => setForm({ ...form, ...changes })
  const saving = useSaving(async () => {
    await saveTeam(client, team?.id, draftOf(form))
    close()
  })
  return (
    <FormDialog
      title={t(team ? 'teams.edit' : 'teams.create')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <TextField label={t('teams.name')} autoFocus value={form.name} onChange={(name) => change({ name })} />
      <Members form={form} change={change} />
      <MultiSelect
        label={t('teams.inboxes')}
        options={inboxes.map(({ id, name }) => ({ value: id, label: name }))}
        value={form.inbox_ids}
        onChange={(inbox_ids) => change({ inbox_ids })}
        placeholder={t('teams.inboxes_hint')}
      />
      <Select
        label={t('teams.assignment')}
        hint={t(`teams.hints.${form.assignment}`)}
        options={MODES.map((value) => ({ value, label: t(`teams.modes.${value}`) }))}
        value={form.assignment}
        onChange={(assignment) => change({ assignment })}
      />
      {form.assignment !== 'by_hand' && <Limits form={form} change={change} />}
      <Select
        label={t('teams.return_after')}
        hint={t('teams.return_hint')}
        options={RETURN_AFTER.map((value) => ({ value, label: t(`teams.minutes.${value}`) }))}
        value={form.return_after_minutes}
        onChange={(return_after_minutes) => change({ return_after_minutes })}
      />
    </FormDialog>
  )
}

interface PartProps {
  form: TeamForm
  change: (changes: Partial<TeamForm>) => void
}

function Members({ form, change }: PartProps) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const options = assignable(account.users, null).map((user) => ({ value: String(user.id), label: userName(user) }))
  return (
    <>
      <Check
        label={t('teams.everybody')}
        hint={t('teams.everybody_hint')}
        checked={form.has_everybody}
        onChange={(has_everybody) => change({ has_everybody })}
      />
      {!form.has_everybody && (
        <MultiSelect
          label={t('teams.members')}
          options={options}
          value={form.member_ids}
          onChange={(member_ids) => change({ member_ids })}
        />
      )}
    </>
  )
}

/** The limit of the team, and of its members. */
function Limits({ form, change }: PartProps) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const members = account.users.filter(({ id }) => form.member_ids.includes(String(id)))
  return (
    <>
      <TextField
        label={t('teams.limit')}
        hint={t('teams.limit_hint')}
        inputMode="numeric"
        maxLength={4}
        value={form.open_limit}
        onChange={(open_limit) => change({ open_limit })}
      />
      {members.map((user) => (
        <TextField
          key={user.id}
          label={t('teams.own_limit', { name: userName(user) })}
          inputMode="numeric"
          maxLength={4}
          placeholder={form.open_limit}
          value={form.limits[user.id] ?? ''}
          onChange={(limit) => change({ limits: { ...form.limits, [user.id]: limit } })}
        />
      ))}
    </>
  )
}
