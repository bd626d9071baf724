import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AnswerArticle } from '#contract/help/first-answers.ts'
import { Each } from '../../../ui/Each.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import styles from './Answers.module.css'

/** The articles that an answer names, each with the way to edit it. */
export function ArticlesUsed({ articles }: { articles: AnswerArticle[] }) {
  const { t } = useTranslation()
  if (articles.length === 0) return <span className={styles.quiet}>{t('first_answers.no_articles')}</span>
  return (
    <ul className={styles.articles} aria-label={t('first_answers.articles')}>
      <Each name="article" items={articles} keyOf={({ id }) => id} fallback={() => <Undrawn />}>
        {({ id, language, title }) => (
          <li>
            <Link
              to={`/help-center/articles/${id}?language=${language}`}
              title={t('first_answers.edit_article')}
              dir="auto"
            >
              <span className="unseen">{t('first_answers.edit_article')} </span>
              {title}
            </Link>
          </li>
        )}
      </Each>
    </ul>
  )
}
