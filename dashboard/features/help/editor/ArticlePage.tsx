import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import type { Article } from '#contract/help/articles.ts'
import type { HelpCenter } from '#contract/help/help-center.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { isTemporary } from '../../../platform/http/request.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { articleQuery, helpCenterQuery } from '../articles/queries.ts'
import { StatePill } from '../articles/StatePill.tsx'
import { languageName } from '../languages.ts'
import { ArticleEditor } from './ArticleEditor.tsx'
import { ArticleMenu } from './ArticleMenu.tsx'

const LIST = '/help-center/articles'

/** One article: its languages, its text beside a preview, and what readers see. */
export function ArticlePage() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const article = useQuery(articleQuery(id))
  const center = useQuery(helpCenterQuery)
  const error = article.data && isTemporary(article.error) ? null : (article.error ?? center.error)
  if (error) {
    return (
      <LoadFailed
        isPage
        title={t('help.article_failed')}
        text={errorText(error)}
        retryLabel={t('retry')}
        retry={() => void Promise.all([article.refetch(), center.refetch()])}
        back={{ to: LIST, label: t('titles.articles') }}
      />
    )
  }
  if (!article.data || !center.data) {
    return (
      <Page title={t('titles.articles')}>
        <TableSkeleton label={t('loading')} />
      </Page>
    )
  }
  return <Loaded key={id} article={article.data} center={center.data} />
}

function Loaded({ article, center }: { article: Article; center: HelpCenter }) {
  const { t } = useTranslation()
  const [query, setQuery] = useSearchParams()
  const own = article.translations.map(({ language }) => language)
  const languages = [...new Set([...center.languages, ...own])]
  const wanted = query.get('language')
  const first = own.includes(center.default_language) ? center.default_language : (own[0] ?? center.default_language)
  const language = wanted && languages.includes(wanted) ? wanted : first
  const translation = article.translations.find((candidate) => candidate.language === language)
  const editor = <ArticleEditor key={language} article={article} language={language} />
  return (
    <Page
      wide
      back={<BackLink to={LIST}>{t('titles.articles')}</BackLink>}
      title={translation?.title || article.translations[0]?.title || t('help.untitled')}
      badge={
        article.archived_at ? <StatePill state="archived" /> : translation && <StatePill state={translation.state} />
      }
      actions={<ArticleMenu article={article} language={language} />}
    >
      {languages.length > 1 ? (
        <Tabs
          label={t('help.languages')}
          tabs={languages.map((name) => ({
            name,
            title: own.includes(name) ? languageName(name) : t('help.add_language', { language: languageName(name) }),
          }))}
          current={language}
          choose={(next) => setQuery({ language: next }, { replace: true })}
        >
          {editor}
        </Tabs>
      ) : (
        editor
      )}
    </Page>
  )
}
