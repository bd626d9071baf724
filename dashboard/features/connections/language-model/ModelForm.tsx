import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LanguageModelSettings } from '#contract/connections/language-model.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/Check.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { notify } from '../../../ui/notices.ts'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './LanguageModel.module.css'
import { listModels, saveModel } from './queries.ts'

/** Where the model is, and its bounds. The server tries a model before it is saved. */
export function ModelForm({ settings }: { settings: LanguageModelSettings }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [form, setForm] = useState({ ...settings, base_url: settings.base_url ?? '', model: settings.model ?? '' })
  const [key, setKey] = useState('')
  const change = (changes: Partial<typeof form>) => setForm({ ...form, ...changes })
  const { saving, error, submit, guard } = useSaving(async () => {
    const { base_url, model, is_enabled, tokens_per_month, requests_per_hour, reads_notes } = form
    const bounds = { tokens_per_month, requests_per_hour, reads_notes }
    await saveModel(client, { base_url, model, is_enabled, ...bounds, ...(key && { key }) })
    setKey('')
    notify({ kind: 'success', title: t('language_model.saved') })
  })
  const keepsKey = settings.has_key && form.base_url === settings.base_url
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit}>
      <Block title={t('language_model.model')} text={t('language_model.model_text')}>
        <TextField
          label={t('language_model.address')}
          hint={t('language_model.address_hint')}
          placeholder="http://localhost:11434/v1"
          dir="ltr"
          required
          maxLength={500}
          value={form.base_url}
          onChange={(base_url) => change({ base_url })}
        />
        <PasswordField
          label={t('language_model.key')}
          hint={t(keepsKey ? 'language_model.key_stored' : 'language_model.key_hint')}
          autoComplete="new-password"
          value={key}
          onChange={setKey}
        />
        <NameField value={form.model} onChange={(model) => change({ model })} at={{ base_url: form.base_url, key }} />
        <Switch
          label={t('language_model.enable')}
          hint={t('language_model.enable_hint')}
          checked={form.is_enabled}
          onChange={(is_enabled) => change({ is_enabled })}
        />
        <Check
          label={t('language_model.notes')}
          checked={form.reads_notes}
          onChange={(reads_notes) => change({ reads_notes })}
        />
      </Block>
      <Block title={t('language_model.bounds')} text={t('language_model.bounds_text')}>
        <TextField
          label={t('language_model.tokens_per_month')}
          inputMode="numeric"
          dir="ltr"
          value={String(form.tokens_per_month)}
          onChange={(text) => /^\d{0,10}$/.test(text) && change({ tokens_per_month: Number(text) })}
        />
        <NumberField
          label={t('language_model.requests_per_hour')}
          value={form.requests_per_hour}
          onChange={(requests_per_hour) => change({ requests_per_hour })}
        />
        <FormError text={error} />
        <div>
          <Button variant="primary" type="submit" loading={saving}>
            {t('language_model.save')}
          </Button>
        </div>
      </Block>
    </form>
  )
}

interface NameProps {
  value: string
  onChange: (name: string) => void
  /** Where models are listed. */
  at: { base_url: string; key: string }
}

/** The name of the model: typed, or chosen from those that its server lists. */
function NameField({ value, onChange, at: { base_url, key } }: NameProps) {
  const { t } = useTranslation()
  const [names, setNames] = useState<string[]>([])
  const [problem, setProblem] = useState<string>()
  const [isListing, setListing] = useState(false)
  const list = async () => {
    setListing(true)
    setProblem(undefined)
    try {
      const models = await listModels({ base_url, ...(key && { key }) })
      setNames(models)
      if (models[0] && !models.includes(value)) onChange(models[0])
    } catch (error) {
      setProblem(errorText(error))
    }
    setListing(false)
  }
  return (
    <div className={styles.name}>
      {names.length > 0 ? (
        <Select
          label={t('language_model.name')}
          options={names.map((name) => ({ value: name, label: name }))}
          value={value}
          onChange={onChange}
        />
      ) : (
        <TextField
          label={t('language_model.name')}
          hint={problem ?? t('language_model.name_hint')}
          dir="ltr"
          required
          maxLength={200}
          value={value}
          onChange={onChange}
        />
      )}
      {names.length > 0 ? (
        <Button onClick={() => setNames([])}>{t('language_model.type_name')}</Button>
      ) : (
        <Button disabled={base_url === ''} loading={isListing} onClick={list}>
          {t('language_model.list')}
        </Button>
      )}
    </div>
  )
}
