import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeadlinePolicy } from '#contract/conversations/deadlines.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Check } from '../../../ui/Check.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { MultiSelect } from '../../../ui/MultiSelect.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { tagsQuery } from '../../customers/tags/queries.ts'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'
import { formOf, type PolicyForm, policyOf, TIMES, type TypedTime } from './form.ts'
import styles from './PolicyDialog.module.css'
import { savePolicy } from './queries.ts'

interface DialogProps {
  /** The policy to edit; without it a new one is created. */
  policy?: DeadlinePolicy
  open: boolean
  close: () => void
}

/** Creates or edits a policy, once its inboxes and tags are known. */
export function PolicyDialog(props: DialogProps) {
  const { data: inboxes } = useQuery(inboxesQuery)
  const { data: tags } = useQuery(tagsQuery)
  if (!inboxes || !tags) return null
  const optionOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })
  return <Form {...props} inboxes={inboxes.map(optionOf)} tags={tags.map(optionOf)} />
}

interface FormProps extends DialogProps {
  inboxes: { value: string; label: string }[]
  tags: { value: string; label: string }[]
}

function Form({ policy, open, close, inboxes, tags }: FormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const valuesOf = (options: { value: string }[]) => options.map(({ value }) => value)
  const [form, setForm] = useState(() => formOf(policy, valuesOf(inboxes), valuesOf(tags)))
  const change = (changes: Partial<PolicyForm>) => setForm({ ...form, ...changes })
  const saving = useSaving(async () => {
    await savePolicy(client, policy?.id, policyOf(form))
    close()
  })
  return (
    <FormDialog
      title={t(policy ? 'policies.edit' : 'policies.new')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <TextField label={t('policies.name')} autoFocus value={form.name} onChange={(name) => change({ name })} />
      {TIMES.map((name) => (
        <TimeField
          key={name}
          label={t(`policies.fields.${name}`)}
          value={form[name]}
          onChange={(time) => change({ [name]: time })}
        />
      ))}
      <Check
        label={t('policies.in_hours')}
        checked={form.in_working_hours}
        onChange={(in_working_hours) => change({ in_working_hours })}
      />
      <Check
        label={t('policies.pauses')}
        checked={form.pauses_while_waiting}
        onChange={(pauses_while_waiting) => change({ pauses_while_waiting })}
      />
      <MultiSelect
        label={t('policies.inboxes')}
        options={inboxes}
        value={form.inbox_ids}
        placeholder={t('policies.any')}
        onChange={(inbox_ids) => change({ inbox_ids })}
      />
      <MultiSelect
        label={t('policies.tags')}
        options={tags}
        value={form.tag_ids}
        placeholder={t('policies.any')}
        onChange={(tag_ids) => change({ tag_ids })}
      />
      <PriorityField value={form.priority} onChange={(priority) => change({ priority })} />
    </FormDialog>
  )
}

interface PriorityProps {
  value: PolicyForm['priority']
  onChange: (value: PolicyForm['priority']) => void
}

function PriorityField({ value, onChange }: PriorityProps) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('policies.priority')}
      value={value ?? 'any'}
      onChange={(chosen) => onChange(chosen === 'any' ? null : chosen)}
      options={[
        { value: 'any', label: t('policies.any') },
        { value: 'priority', label: t('policies.priorities.priority') },
        { value: 'not_priority', label: t('policies.priorities.not_priority') },
      ]}
    />
  )
}

interface TimeProps {
  label: string
  value: TypedTime
  onChange: (value: TypedTime) => void
}

/** A number with its unit; empty for none. */
function TimeField({ label, value, onChange }: TimeProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.time}>
      <TextField
        label={label}
        inputMode="numeric"
        placeholder={t('policies.no_time')}
        value={value.amount}
        onChange={(amount) => /^\d{0,4}$/.test(amount) && onChange({ ...value, amount })}
      />
      <Select
        label={`${t('policies.unit')}: ${label}`}
        hideLabel
        value={value.unit}
        onChange={(unit) => onChange({ ...value, unit })}
        options={[
          { value: 'minutes', label: t('policies.minutes') },
          { value: 'hours', label: t('policies.hours') },
        ]}
      />
    </div>
  )
}
