import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Article } from '#contract/help/articles.ts'
import { errorText, showError } from '../../../platform/http/errors.ts'
import { messageTime } from '../../../platform/times.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { notify } from '../../../ui/notices.ts'
import { publish, unpublish } from '../articles/queries.ts'
import styles from './Editor.module.css'
import type { useArticleDraft } from './useArticleDraft.ts'

interface PublishProps {
  article: Article
  language: string
  writing: ReturnType<typeof useArticleDraft>
}

/** What readers see, whether everything is saved, and publishing. */
export function PublishBar({ article, language, writing }: PublishProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { translation, state, conflict, flush } = writing
  const params = { id: article.id, language }
  const isPublic = !!translation && translation.state !== 'draft'
  const isUnchanged = translation?.state === 'published' && !writing.isEdited

  async function run(what: string, work: () => Promise<void>) {
    setBusy(true)
    await work().catch((error) => showError(what, error))
    setBusy(false)
  }
  const publishNow = () =>
    run('Article not published', async () => {
      await flush()
      const version = writing.savedVersion()
      if (version === undefined) return
      const next = await publish(client, params, version)
      const url = next.translations.find((translation) => translation.language === language)?.url
      notify({
        kind: 'success',
        title: t('help.published'),
        ...(url && { action: { label: t('help.view'), run: () => window.open(url, '_blank', 'noopener') } }),
      })
    })
  const withdraw = () => run('Article not withdrawn', async () => void (await unpublish(client, params)))
  return (
    <div className={styles.bar}>
      <div className={styles.quiet}>
        <span role="status">
          {state.is === 'saving' && t('help.saving')}
          {state.is === 'saved' && t('help.saved')}
          {state.is === 'failed' && !conflict && `${t('help.not_saved')} ${errorText(state.error)}`}
        </span>{' '}
        {whatReadersSee()}
      </div>
      {translation?.url && (
        <ButtonLink variant="text" href={translation.url}>
          {t('help.view')}
        </ButtonLink>
      )}
      {isPublic && (
        <Confirm question={t('help.unpublish_question')} yes={t('yes')} no={t('no')} run={withdraw}>
          <Button disabled={isBusy}>{t('help.unpublish')}</Button>
        </Confirm>
      )}
      <Button
        variant="primary"
        loading={isBusy}
        disabled={!!conflict || !!article.archived_at || isUnchanged}
        onClick={publishNow}
      >
        {t(isPublic ? 'help.publish_changes' : 'help.publish')}
      </Button>
    </div>
  )

  function whatReadersSee(): string {
    if (article.archived_at) return t('help.sees_nothing_archived')
    if (!translation?.published_at || !isPublic) return t('help.sees_nothing')
    const when = messageTime(translation.published_at)
    return t(translation.state === 'changed' ? 'help.sees_older' : 'help.sees_this', { when })
  }
}
