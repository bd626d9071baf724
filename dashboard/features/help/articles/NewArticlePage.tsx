import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { languageName } from '../languages.ts'
import styles from './Articles.module.css'
import { useCollectionOptions } from './collection-options.ts'
import { createArticle, helpCenterQuery } from './queries.ts'

/** Title, language and collection of a new article. `?title=` fills in the first, such as a search without a hit. */
export function NewArticlePage() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { data: center } = useQuery(helpCenterQuery)
  const collections = useCollectionOptions()
  const [draft, setDraft] = useState({ title: query.get('title') ?? '', collection_id: '' })
  const [chosen, setChosen] = useState(query.get('language') ?? '')
  const languages = center?.languages ?? []
  const language = languages.includes(chosen) ? chosen : (center?.default_language ?? 'en')
  const { saving, error, submit, guard } = useSaving(async () => {
    if (!draft.title.trim()) throw new Error(t('help.title_missing'))
    const { title, collection_id } = draft
    const article = await createArticle(client, {
      language,
      title,
      summary: '',
      body: '',
      collection_id: collection_id || null,
    })
    void navigate(`/help-center/articles/${article.id}`, { replace: true })
  })
  return (
    <Page
      back={<BackLink to="/help-center/articles">{t('titles.articles')}</BackLink>}
      title={t('actions.new_article')}
    >
      <form ref={guard.watch} className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label={t('help.title')}
          autoFocus
          large
          maxLength={200}
          placeholder={t('help.title_placeholder')}
          value={draft.title}
          onChange={(title) => setDraft({ ...draft, title })}
        />
        {languages.length > 1 && (
          <Select
            label={t('help.language')}
            options={languages.map((value) => ({ value, label: languageName(value) }))}
            value={language}
            onChange={setChosen}
          />
        )}
        {collections.length > 0 && (
          <Select
            label={t('help.collection')}
            options={[{ value: '', label: t('help.no_collection') }, ...collections]}
            value={draft.collection_id}
            onChange={(collection_id) => setDraft({ ...draft, collection_id })}
          />
        )}
        <FormError text={error} />
        <div>
          <Button type="submit" variant="primary" loading={saving}>
            {t('help.start_writing')}
          </Button>
        </div>
      </form>
    </Page>
  )
}
