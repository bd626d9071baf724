import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Article } from '#contract/help/articles.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Select } from '../../../ui/Select.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useCollectionOptions } from '../articles/collection-options.ts'
import { updateArticle } from '../articles/queries.ts'
import styles from './Editor.module.css'
import type { ArticleTexts } from './useArticleDraft.ts'

interface DetailsProps {
  article: Article
  draft: ArticleTexts
  change: (changes: Partial<ArticleTexts>) => void
  flush: () => Promise<void>
}

/** Summary, address and collection. */
export function ArticleDetails({ article, draft, change, flush }: DetailsProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const collections = useCollectionOptions()
  const move = (collection_id: string) =>
    updateArticle(client, article.id, { collection_id: collection_id || null }).catch((error) =>
      showError('Article not moved', error),
    )
  return (
    <div className={styles.details}>
      <TextArea
        label={t('help.summary')}
        hint={t('help.summary_hint')}
        maxLength={500}
        value={draft.summary}
        onChange={(summary) => change({ summary })}
        onBlur={() => void flush()}
      />
      <div className={styles.pair}>
        <TextField
          label={t('help.slug')}
          hint={t('help.slug_hint')}
          maxLength={100}
          spellCheck={false}
          value={draft.slug}
          onChange={(slug) => change({ slug: slug.toLowerCase().replace(/[\s_]+/g, '-') })}
          onBlur={() => void flush()}
        />
        <Select
          label={t('help.collection')}
          options={[{ value: '', label: t('help.no_collection') }, ...collections]}
          value={article.collection_id ?? ''}
          onChange={(id) => void move(id)}
        />
      </div>
    </div>
  )
}
