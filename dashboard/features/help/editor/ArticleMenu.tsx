import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Article } from '#contract/help/articles.ts'
import { showError } from '../../../platform/http/errors.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { notify } from '../../../ui/notices.ts'
import { deleteArticle, deleteTranslation, updateArticle } from '../articles/queries.ts'
import { languageName } from '../languages.ts'

const LIST = '/help-center/articles'

/** Archiving, which can be undone, and deleting, which cannot. */
export function ArticleMenu({ article, language }: { article: Article; language: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const question = useDialog<'article' | 'language'>()
  const { id } = article
  const isArchived = article.archived_at !== null
  const hasLanguage =
    article.translations.length > 1 && article.translations.some((translation) => translation.language === language)
  const archive = (is_archived: boolean) =>
    updateArticle(client, id, { is_archived }).then(
      () =>
        is_archived &&
        notify({
          kind: 'success',
          title: t('help.archived'),
          action: { label: t('help.undo'), run: () => void archive(false) },
        }),
      (error) => showError('Article not archived', error),
    )
  async function remove() {
    question.close()
    try {
      if (question.item === 'language') return await deleteTranslation(client, { id, language })
      void navigate(LIST)
      await deleteArticle(client, id)
    } catch (error) {
      showError('Article not deleted', error)
    }
  }
  const subject = question.item === 'language' ? languageName(language) : article.translations[0]?.title
  return (
    <>
      <Menu
        items={[
          {
            key: 'archive',
            label: t(isArchived ? 'help.unarchive' : 'help.archive'),
            onClick: () => void archive(!isArchived),
          },
          ...(hasLanguage
            ? [
                {
                  key: 'language',
                  label: t('help.delete_language', { language: languageName(language) }),
                  danger: true,
                  onClick: () => question.open('language'),
                },
              ]
            : []),
          { key: 'delete', label: t('help.delete'), danger: true, onClick: () => question.open('article') },
        ]}
      >
        {(trigger) => <IconButton icon="more" label={t('help.more')} {...trigger} />}
      </Menu>
      {question.item && (
        <Dialog
          title={t('help.delete_question', { name: subject || t('help.untitled') })}
          open={question.isOpen}
          close={question.close}
          footer={
            <>
              <Button autoFocus onClick={question.close}>
                {t('no')}
              </Button>
              <Button danger variant="primary" onClick={() => void remove()}>
                {t('yes')}
              </Button>
            </>
          }
        >
          <p>{t('help.delete_text')}</p>
        </Dialog>
      )}
    </>
  )
}
