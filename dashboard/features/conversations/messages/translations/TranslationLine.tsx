import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Message } from '#contract/conversations/messages.ts'
import { Button } from '../../../../ui/Button.tsx'
import { languageModelQuery } from '../../../connections/language-model/queries.ts'
import { MessageText } from '../bubble/MessageText.tsx'
import { languageName, type Shown, showOriginals, useIsForeign } from './reading.ts'
import { translate, useTranslationRun } from './runs.ts'
import styles from './Translations.module.css'

interface LineProps extends Pick<Shown, 'translation' | 'isTranslated' | 'original'> {
  message: Message
}

/** Below a message: its language if the reader does not know it, a button that translates it, and its other version. */
export function TranslationLine({ message, translation, isTranslated, original }: LineProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: model } = useQuery(languageModelQuery)
  const run = useTranslationRun(message.conversation_id)
  const isForeign = useIsForeign()
  const { id, conversation_id, language } = message
  const problem = run?.problems[id]
  const isWaiting = !!run?.isRunning && run.waiting.has(id)
  const start = () => void translate(client, conversation_id, [id])
  if (original) {
    return (
      <div className={styles.original}>
        <span className={styles.quiet}>
          {t('translations.written_in', { language: languageName(original.language) })}
        </span>
        <MessageText body={original.body} />
      </div>
    )
  }
  if (translation) {
    const from = language ? t('translations.from', { language: languageName(language) }) : t('translations.translated')
    return (
      <div className={styles.line}>
        <span>{isTranslated ? from : t('translations.original')}</span>
        <Button size="small" variant="text" onClick={() => showOriginals([id], isTranslated)}>
          {t(isTranslated ? 'translations.show_original' : 'translations.show_translation')}
        </Button>
        {isTranslated && translation.missing.length > 0 && (
          <span className={styles.warning}>{t('translations.missing', { list: translation.missing.join(', ') })}</span>
        )}
      </div>
    )
  }
  if (problem) {
    return (
      <div className={styles.line}>
        <span role="alert" className={styles.warning}>
          {problem}
        </span>
        <Button size="small" variant="text" onClick={start}>
          {t('retry')}
        </Button>
      </div>
    )
  }
  if (isWaiting) return <div className={styles.line}>{t('translations.translating')}</div>
  if (!language || !isForeign(language)) return null
  return (
    <div className={styles.line}>
      <span>{languageName(language)}</span>
      {model?.is_enabled && (
        <Button size="small" variant="text" disabled={run?.isRunning === true} onClick={start}>
          {t('translations.translate')}
        </Button>
      )}
    </div>
  )
}
