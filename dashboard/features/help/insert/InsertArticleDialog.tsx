import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDebounced } from '../../../platform/forms/useDebounced.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Each } from '../../../ui/Each.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { width } from '../../../ui/tokens.ts'
import { articleQuery } from '../articles/queries.ts'
import { helpKeys } from '../keys.ts'
import { findArticles, type InsertableArticle, listLatestArticles } from './find-articles.ts'
import styles from './InsertArticle.module.css'

interface DialogProps {
  open: boolean
  close: () => void
  insert: (text: string) => void
}

const MAX_CHOICES = 10

/** Finds a published article, and inserts its link or its text. Enter inserts the link of the first one. */
export function InsertArticleDialog({ open, close, insert }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [text, setText] = useState('')
  const q = useDebounced(text)
  const query = useQuery({
    queryKey: helpKeys.found(q),
    queryFn: ({ signal }) => (q ? findArticles(q, MAX_CHOICES, signal) : listLatestArticles(MAX_CHOICES, signal)),
    placeholderData: keepPreviousData,
  })
  const insertAndClose = (inserted: string) => {
    close()
    insert(inserted)
  }
  const insertBody = async ({ id, language }: InsertableArticle) => {
    try {
      const { translations } = await client.fetchQuery(articleQuery(id))
      insertAndClose(translations.find((translation) => translation.language === language)?.body ?? '')
    } catch (error) {
      showError('Article not inserted', error)
    }
  }
  const press = (event: KeyboardEvent) => {
    const [first] = query.data ?? []
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    if (first && q === text.trim()) insertAndClose(first.url)
  }
  return (
    <Dialog title={t('help.insert_title')} open={open} close={close} size={width.help}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only Enter in the field within */}
      <div className={styles.content} onKeyDown={press}>
        <SearchInput autoFocus label={t('help.search')} value={text} onChange={setText} />
        {!query.data && <QueryView query={query} failed={t('help.articles_failed')} />}
        {query.data?.length === 0 && <p role="status">{t(q ? 'help.nothing' : 'help.nothing_published')}</p>}
        <ul className={styles.list} aria-label={t('titles.articles')}>
          <Each name="article" items={query.data ?? []} keyOf={({ id }) => id}>
            {(choice) => (
              <li>
                <span dir="auto">{choice.title}</span>
                <Button
                  size="small"
                  aria-label={`${t('help.insert_link')} ${choice.title}`}
                  onClick={() => insertAndClose(choice.url)}
                >
                  {t('help.insert_link')}
                </Button>
                <Button
                  size="small"
                  variant="text"
                  aria-label={`${t('help.insert_text')} ${choice.title}`}
                  onClick={() => void insertBody(choice)}
                >
                  {t('help.insert_text')}
                </Button>
              </li>
            )}
          </Each>
        </ul>
      </div>
    </Dialog>
  )
}
