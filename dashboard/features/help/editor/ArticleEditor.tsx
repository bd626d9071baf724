import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Article, MAX_ARTICLE_LENGTH } from '#contract/help/articles.ts'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import type { MarkdownEditorHandle } from '../../../ui/MarkdownEditor.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { ArticleDetails } from './ArticleDetails.tsx'
import { Conflict } from './Conflict.tsx'
import styles from './Editor.module.css'
import { MarkdownTools, useUploads } from './MarkdownTools.tsx'
import { Preview } from './Preview.tsx'
import { PublishBar } from './PublishBar.tsx'
import { Revisions } from './Revisions.tsx'
import { useArticleDraft } from './useArticleDraft.ts'

const MarkdownEditor = lazyComponent(async () => (await import('../../../ui/MarkdownEditor.tsx')).MarkdownEditor)

/** The text of one language with its preview; on phones one of the two. */
export function ArticleEditor({ article, language }: { article: Article; language: string }) {
  const { t } = useTranslation()
  const editor = useRef<MarkdownEditorHandle>(null)
  const [side, setSide] = useState<'write' | 'preview'>('write')
  const writing = useArticleDraft(article, language)
  const { upload, isUploading } = useUploads(editor)
  const { draft, change, flush } = writing
  const isTooLong = draft.body.length > MAX_ARTICLE_LENGTH
  return (
    <div className={styles.editor}>
      <PublishBar article={article} language={language} writing={writing} />
      {writing.conflict && <Conflict theirs={writing.conflict} {...writing} />}
      <TextField
        large
        label={t('help.title')}
        maxLength={200}
        placeholder={t('help.title_placeholder')}
        value={draft.title}
        onChange={(title) => change({ title })}
        onBlur={() => void flush()}
      />
      <div className={styles.switch}>
        <Choice
          legend={t('help.side')}
          hideLegend
          options={[
            { value: 'write', label: t('help.write') },
            { value: 'preview', label: t('help.preview') },
          ]}
          value={side}
          onChange={setSide}
        />
      </div>
      <div className={styles.sides} data-side={side}>
        <div className={styles.write}>
          <MarkdownTools editor={editor} upload={upload} isUploading={isUploading} />
          <div className={styles.text}>
            <Suspense fallback={<TableSkeleton label={t('loading')} />}>
              <MarkdownEditor
                label={t('help.text')}
                value={draft.body}
                onChange={(body) => change({ body })}
                onSave={flush}
                onFiles={upload}
                handle={editor}
              />
            </Suspense>
          </div>
          {isTooLong && (
            <p className={styles.wrong} role="alert">
              {t('help.too_long', { limit: MAX_ARTICLE_LENGTH })}
            </p>
          )}
        </div>
        <div className={styles.preview}>
          <Preview title={draft.title} body={draft.body} language={language} isShown={!isTooLong} />
        </div>
      </div>
      <ArticleDetails article={article} draft={draft} change={change} flush={flush} />
      {writing.translation && <Revisions id={article.id} language={language} flush={flush} />}
    </div>
  )
}
