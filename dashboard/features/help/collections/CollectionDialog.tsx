import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArticleCollection } from '#contract/help/article-collections.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { collectionName } from '../articles/collection-options.ts'
import { collectionsQuery, helpCenterQuery } from '../articles/queries.ts'
import { languageName } from '../languages.ts'
import { saveCollection } from './queries.ts'

interface DialogProps {
  /** The collection to edit; without it a new one is created. */
  collection?: ArticleCollection
  open: boolean
  close: () => void
}

/** Name and description of a collection, by language, and where it is. */
export function CollectionDialog({ collection, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: center } = useQuery(helpCenterQuery)
  const [texts, setTexts] = useState(collection?.texts ?? {})
  const [icon, setIcon] = useState(collection?.icon ?? '')
  const [parent_id, setParent] = useState(collection?.parent_id ?? '')
  const [chosen, setChosen] = useState<string>()
  const { data: collections = [] } = useQuery(collectionsQuery)
  const containsOthers = collections.some((other) => other.parent_id === collection?.id)
  const around = collections.filter((other) => other.parent_id === null && other.id !== collection?.id)
  const languages = [...new Set([...(center?.languages ?? ['en']), ...Object.keys(texts)])]
  const language = chosen ?? center?.default_language ?? languages[0]!
  const { name = '', description = '' } = texts[language] ?? {}
  const change = (changes: { name?: string; description?: string }) =>
    setTexts({ ...texts, [language]: { name, description, ...changes } })
  const saving = useSaving(async () => {
    // A language without a name has no texts: the default language is shown instead.
    const named = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.name.trim()))
    if (Object.keys(named).length === 0) throw new Error(t('help.name_missing'))
    await saveCollection(client, collection?.id, { texts: named, icon, parent_id: parent_id || null })
    close()
  })
  return (
    <FormDialog
      title={t(collection ? 'help.edit_collection' : 'help.new_collection')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      {languages.length > 1 && (
        <Select
          label={t('help.language')}
          options={languages.map((value) => ({ value, label: languageName(value) }))}
          value={language}
          onChange={setChosen}
        />
      )}
      <TextField
        label={t('help.name')}
        autoFocus
        maxLength={100}
        value={name}
        onChange={(text) => change({ name: text })}
      />
      <TextField
        label={t('help.description')}
        maxLength={300}
        value={description}
        onChange={(text) => change({ description: text })}
      />
      {around.length > 0 && (
        <Select
          label={t('help.inside')}
          hint={containsOthers ? t('help.inside_impossible') : undefined}
          disabled={containsOthers}
          options={[
            { value: '', label: t('help.at_top') },
            ...around.map((other) => ({ value: other.id, label: collectionName(other, center?.default_language) })),
          ]}
          value={parent_id}
          onChange={setParent}
        />
      )}
      <TextField label={t('help.icon')} hint={t('help.icon_hint')} maxLength={16} value={icon} onChange={setIcon} />
    </FormDialog>
  )
}
