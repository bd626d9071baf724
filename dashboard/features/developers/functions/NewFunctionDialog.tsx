import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { FUNCTION_STARTERS } from '#contract/developers/function-starters.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { createFunction } from './queries.ts'

/** Asks for a name and a template. */
export function NewFunctionDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [begin, setBegin] = useState(FUNCTION_STARTERS[0]!.name)
  const saving = useSaving(async () => {
    const { code, events } = FUNCTION_STARTERS.find((starter) => starter.name === begin)!
    const { id } = await createFunction({ name: name || t('functions.untitled'), description, code, events })
    close()
    navigate(`/functions/${id}`)
  })
  return (
    <FormDialog
      title={t('functions.new')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('functions.create')}
      {...saving}
    >
      <TextField
        autoFocus
        label={t('functions.name')}
        placeholder={t('functions.untitled')}
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <TextField label={t('functions.description')} maxLength={1000} value={description} onChange={setDescription} />
      <Select
        label={t('functions.begin')}
        hint={t(`functions.starter_hints.${begin}`)}
        options={FUNCTION_STARTERS.map((starter) => ({
          value: starter.name,
          label: t(`functions.starters.${starter.name}`),
        }))}
        value={begin}
        onChange={setBegin}
      />
    </FormDialog>
  )
}
