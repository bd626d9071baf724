import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { renderTemplate, type WhatsappTemplate } from '#contract/integrations/whatsapp.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { errorText, showError } from '../../../../platform/http/errors.ts'
import { newId } from '../../../../platform/new-id.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Each } from '../../../../ui/Each.tsx'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { LoadFailed } from '../../../../ui/LoadFailed.tsx'
import { Undrawn } from '../../../../ui/PartBoundary.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { fetchTemplates, sendTemplate, templatesQuery } from './queries.ts'
import styles from './Templates.module.css'

interface DialogProps {
  conversation: Conversation
  open: boolean
  close: () => void
}

/** Chooses an approved template, fills in its variables, and shows what the customer will read. */
export function TemplateDialog({ conversation, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const query = templatesQuery(conversation.id)
  const { data: templates, isError, error, isPending, refetch } = useQuery({ ...query, enabled: open })
  const [id] = useState(newId)
  const [chosen, setChosen] = useState<string>()
  const [values, setValues] = useState<Record<string, string>>({})
  const template = templates?.find((one) => keyOf(one) === chosen)
  const saving = useSaving(async () => {
    if (!template) throw new Error(t('channel_templates.choose_first'))
    await sendTemplate(conversation.id, id, template, values)
    close()
  })
  const refresh = () =>
    fetchTemplates(conversation.id)
      .then((fetched) => client.setQueryData(query.queryKey, fetched))
      .catch((refusal) => showError('Templates not fetched', refusal))
  return (
    <FormDialog
      title={t('channel_templates.title')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('channel_templates.send')}
      {...saving}
    >
      {isError && (
        <LoadFailed
          title={t('channel_templates.failed')}
          text={errorText(error)}
          retryLabel={t('retry')}
          retry={() => refetch()}
        />
      )}
      {isPending && <p>{t('loading')}</p>}
      {templates?.length === 0 && <p>{t('channel_templates.none')}</p>}
      {!!templates?.length && (
        <Select
          label={t('channel_templates.template')}
          placeholder={t('channel_templates.choose_first')}
          options={templates.map((one) => ({ value: keyOf(one), label: `${one.name} (${one.language})` }))}
          value={chosen}
          onChange={setChosen}
        />
      )}
      {template && <Filling template={template} values={values} change={setValues} />}
      {templates && (
        <div>
          <Button size="small" variant="text" onClick={refresh}>
            {t('channel_templates.refresh')}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}

function keyOf({ name, language }: WhatsappTemplate): string {
  return `${name} ${language}`
}

interface FillingProps {
  template: WhatsappTemplate
  values: Record<string, string>
  change: (values: Record<string, string>) => void
}

function Filling({ template, values, change }: FillingProps) {
  const { t } = useTranslation()
  return (
    <>
      <Each name="variable" items={template.variables} keyOf={({ key }) => key} fallback={() => <Undrawn />}>
        {({ key, example }) => (
          <TextField
            label={labelOf(key, t('channel_templates.header'))}
            placeholder={example ?? ''}
            value={values[key] ?? ''}
            required
            maxLength={1000}
            autoComplete="off"
            onChange={(value) => change({ ...values, [key]: value })}
          />
        )}
      </Each>
      <section aria-label={t('channel_templates.preview')} className={styles.preview} dir="auto">
        {renderTemplate(template, values)}
      </section>
    </>
  )
}

/** As it stands in the text; a heading numbers its variables, too. */
function labelOf(key: string, heading: string): string {
  const [part, name] = key.split('.')
  return `{{${name}}}${part === 'header' ? ` · ${heading}` : ''}`
}
