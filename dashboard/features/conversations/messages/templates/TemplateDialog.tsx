import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { renderTemplate, type WhatsappTemplate } from '#contract/integrations/whatsapp.ts'
import { formatNumber } from '../../../../platform/formats.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { errorText, logError, showError } from '../../../../platform/http/errors.ts'
import { uploadFile } from '../../../../platform/http/upload-request.ts'
import { newId } from '../../../../platform/new-id.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Each } from '../../../../ui/Each.tsx'
import { FileField } from '../../../../ui/FileField.tsx'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { LoadFailed } from '../../../../ui/LoadFailed.tsx'
import { Undrawn } from '../../../../ui/PartBoundary.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { useSendAnyway } from '../sending/useSendAnyway.ts'
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
  const [heading, setHeading] = useState<StoredFile>()
  const template = templates?.find((candidate) => keyOf(candidate) === chosen)
  const anyway = useSendAnyway()
  const saving = useSaving(async () => {
    if (!template) throw new Error(t('channel_templates.choose_first'))
    if (template.header_media && !heading) throw new Error(t(`channel_templates.heading.${template.header_media}`))
    const filled = { variables: values, file_id: template.header_media ? heading?.id : undefined }
    await anyway.send((send_anyway) => sendTemplate(conversation.id, id, template, { ...filled, send_anyway }))
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
      saveLabel={t(anyway.isAsked ? 'composer.send_anyway' : 'channel_templates.send')}
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
          options={templates.map((item) => ({ value: keyOf(item), label: `${item.name} (${item.language})` }))}
          value={chosen}
          onChange={(key) => {
            setChosen(key)
            setHeading(undefined)
          }}
        />
      )}
      {template?.header_media && (
        <HeadingField key={chosen} kind={template.header_media} heading={heading} change={setHeading} />
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
  /** As it stands in the text; a heading numbers its variables, too, and buttons have names. */
  const labelOf = (key: string) => {
    const [part, name] = key.split('.')
    const button = template.buttons[Number(name)]?.text
    if (part === 'url') return t('channel_templates.address_of', { button })
    if (part === 'code') return t('channel_templates.code_of', { button })
    return `{{${name}}}${part === 'header' ? ` · ${t('channel_templates.header')}` : ''}`
  }
  return (
    <>
      <Each name="variable" items={template.variables} keyOf={({ key }) => key} fallback={() => <Undrawn />}>
        {({ key, example }) => (
          <TextField
            label={labelOf(key)}
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

interface HeadingProps {
  kind: NonNullable<WhatsappTemplate['header_media']>
  heading: StoredFile | undefined
  change: (file: StoredFile | undefined) => void
}

/** What can be chosen as a heading, as the file chooser wants it. */
const ACCEPTED = {
  image: 'image/jpeg,image/png',
  video: 'video/mp4,video/3gpp',
  document: '.pdf,.txt,.doc,.docx,.xls,.xlsx,.ppt,.pptx',
}

/** The file that stands above a template's text, uploaded when it is chosen. */
function HeadingField({ kind, heading, change }: HeadingProps) {
  const { t } = useTranslation()
  const [part, setPart] = useState<number>()
  const [error, setError] = useState<string>()
  async function upload(file: File | undefined) {
    change(undefined)
    setError(undefined)
    if (!file) return
    setPart(0)
    try {
      change(await uploadFile(file, { progress: setPart, signal: new AbortController().signal }))
    } catch (refusal) {
      logError('Heading of a template not uploaded', refusal)
      setError(errorText(refusal))
    }
    setPart(undefined)
  }
  const hint = heading?.filename ?? (part === undefined ? undefined : formatNumber(part, { style: 'percent' }))
  return (
    <>
      <FileField
        label={t(`channel_templates.heading.${kind}`)}
        accept={ACCEPTED[kind]}
        disabled={part !== undefined}
        choose={upload}
        hint={hint ?? ''}
      />
      <FormError text={error} />
    </>
  )
}
