import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { languageModelQuery } from '../../../connections/language-model/queries.ts'
import { closeRun, startRun, useRun } from '../../writing-help/runs.ts'
import type { Draft } from '../drafts/drafts.ts'
import { threadQuery } from '../thread.ts'
import { languageName, useIsForeign } from './reading.ts'
import styles from './Translations.module.css'

interface ReplyProps {
  conversation_id: string
  draft: Draft
  write: (changes: Partial<Draft>) => void
}

/** Above the text field: offers to translate a reply into the customer's language, and shows what the agent wrote before. */
export function ReplyLanguage({ conversation_id, draft, write }: ReplyProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: model } = useQuery(languageModelQuery)
  const { data: thread } = useQuery(threadQuery(client, conversation_id))
  const run = useRun(conversation_id)
  const isForeign = useIsForeign()
  const { body, original } = draft
  if (original) {
    const putBack = () => {
      closeRun(conversation_id)
      write({ body: original, original: undefined })
    }
    return (
      <section className={styles.reply} aria-label={t('translations.own_text')}>
        <p className={styles.quiet}>{t('translations.own_text')}</p>
        <p className={styles.text} dir="auto">
          {original}
        </p>
        <Button size="small" onClick={putBack}>
          {t('translations.put_back')}
        </Button>
      </section>
    )
  }
  const language = thread?.messages.findLast((message) => message.customer_id !== null && message.language)?.language
  if (!model?.is_enabled || run || !isForeign(language) || body.trim() === '') return null
  const name = languageName(language!)
  return (
    <div className={styles.offer}>
      <span>{t('translations.customer_writes', { language: name })}</span>
      <Button
        size="small"
        onClick={() => void startRun(conversation_id, { task: 'translate', text: body, language: language! })}
      >
        {t('translations.translate_into', { language: name })}
      </Button>
    </div>
  )
}
