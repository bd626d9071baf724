import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  ATTRIBUTE_KINDS,
  ATTRIBUTE_SUBJECTS,
  type AttributeDefinition,
  type AttributeDraft,
} from '#contract/customers/attributes.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Check } from '../../../ui/Check.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { Beginning } from './AttributesPage.tsx'
import { changeAttribute, createAttribute } from './saving.ts'

interface DialogProps {
  /** The attribute to edit; without it a new one is created. */
  attribute?: AttributeDefinition
  beginning?: Beginning
  open: boolean
  close: () => void
}

interface AttributeForm extends Omit<AttributeDraft, 'choices' | 'description' | 'team_only'> {
  /** One on each line. */
  choices: string
  description: string
  team_only: boolean
}

/** Creates an attribute, or edits one. Key and kind stay as they were, because values rely on them. */
export function AttributeDialog({ attribute, beginning = {}, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [form, setForm] = useState(() => formOf(attribute ?? beginning))
  const [isRemoving, setRemoving] = useState(false)
  const change = (changes: Partial<AttributeForm>) => setForm({ ...form, ...changes })
  const { choices, ...plain } = form
  const lines = listOf(choices)
  const removed = (attribute?.choices ?? []).filter((choice) => !lines.includes(choice))
  const saving = useSaving(async () => {
    if (removed.length > 0 && !isRemoving) throw new Error(t('attribute_definitions.removed_missing'))
    const { subject, key, kind, ...changes } = { ...plain, description: plain.description.trim() || null }
    const ofChoice = kind === 'choice' && { choices: lines }
    if (attribute) await changeAttribute(client, attribute.id, { ...changes, ...ofChoice })
    else await createAttribute(client, { subject, kind, key: key.trim() || keyOf(form.name), ...changes, ...ofChoice })
    close()
  })
  return (
    <FormDialog
      title={t(attribute ? 'attribute_definitions.edit' : 'attribute_definitions.new')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t(attribute ? 'save' : 'attribute_definitions.create')}
      {...saving}
    >
      <TextField
        label={t('attribute_definitions.name')}
        autoFocus
        value={form.name}
        onChange={(name) => change({ name })}
      />
      {!attribute && <Identity form={form} change={change} />}
      {form.kind === 'choice' && (
        <TextArea
          label={t('attribute_definitions.choices')}
          rows={4}
          value={choices}
          onChange={(next) => change({ choices: next })}
        />
      )}
      {removed.length > 0 && (
        <Check
          label={t('attribute_definitions.removed', { names: removed.join(', ') })}
          hint={t('attribute_definitions.removed_hint')}
          checked={isRemoving}
          onChange={setRemoving}
        />
      )}
      <TextField
        label={t('attribute_definitions.description')}
        hint={t('attribute_definitions.description_hint')}
        value={form.description}
        onChange={(description) => change({ description })}
      />
      {form.subject === 'customer' && (
        <Check
          label={t('attribute_definitions.team_only')}
          hint={t('attribute_definitions.team_only_hint')}
          checked={form.team_only}
          onChange={(team_only) => change({ team_only })}
        />
      )}
    </FormDialog>
  )
}

interface IdentityProps {
  form: AttributeForm
  change: (changes: Partial<AttributeForm>) => void
}

/** What is decided once: whose it is, its key and its kind. */
function Identity({ form, change }: IdentityProps) {
  const { t } = useTranslation()
  return (
    <>
      <Select
        label={t('attribute_definitions.subject')}
        options={ATTRIBUTE_SUBJECTS.map((value) => ({ value, label: t(`attribute_definitions.subjects.${value}`) }))}
        value={form.subject}
        onChange={(subject) => change({ subject })}
      />
      <Select
        label={t('attribute_definitions.kind')}
        options={ATTRIBUTE_KINDS.map((value) => ({ value, label: t(`attribute_definitions.kinds.${value}`) }))}
        value={form.kind}
        onChange={(kind) => change({ kind })}
      />
      <TextField
        label={t('attribute_definitions.key')}
        hint={t('attribute_definitions.key_hint')}
        placeholder={keyOf(form.name)}
        value={form.key}
        onChange={(key) => change({ key })}
      />
    </>
  )
}

function formOf(from: Partial<AttributeDefinition>): AttributeForm {
  const {
    subject = 'customer',
    key = '',
    name = '',
    kind = 'text',
    choices = [],
    description,
    team_only = false,
  } = from
  return { subject, key, name, kind, choices: choices.join('\n'), description: description ?? '', team_only }
}

function listOf(choices: string): string[] {
  return [...new Set(choices.split('\n').map((line) => line.trim()))].filter(Boolean)
}

/** `Renewal date` has the key `renewal_date`. */
function keyOf(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, '_')
}
