import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Macro, MacroDraft } from '#contract/conversations/macros.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Check } from '../../../ui/Check.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { ActionFields } from '../rules/ActionFields.tsx'
import { useChoices } from '../rules/useChoices.ts'
import { saveMacro } from './queries.ts'

interface DialogProps {
  /** The macro to edit; without it a new one is created. */
  macro?: Macro
  open: boolean
  close: () => void
}

/** Creates or edits a macro. Members create personal ones. */
export function MacroDialog({ macro, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me } = useTeam()
  const choices = useChoices()
  const isAdmin = me.role === 'admin'
  const [draft, setDraft] = useState<MacroDraft>({
    name: macro?.name ?? '',
    content: macro?.content ?? '',
    actions: macro?.actions ?? [],
    is_personal: macro?.is_personal ?? !isAdmin,
  })
  const saving = useSaving(async () => {
    await saveMacro(client, macro?.id, draft)
    close()
  })
  return (
    <FormDialog
      title={t(macro ? 'macros.edit' : 'macros.new')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      size={760}
      {...saving}
    >
      <TextField
        label={t('rules.name')}
        autoFocus
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <TextArea
        label={t('macros.content')}
        hint={t('macros.content_hint')}
        rows={3}
        value={draft.content}
        onChange={(content) => setDraft({ ...draft, content })}
      />
      <ActionFields actions={draft.actions} choices={choices} onChange={(actions) => setDraft({ ...draft, actions })} />
      {isAdmin && !macro && (
        <Check
          label={t('macros.only_me')}
          checked={draft.is_personal}
          onChange={(is_personal) => setDraft({ ...draft, is_personal })}
        />
      )}
    </FormDialog>
  )
}
