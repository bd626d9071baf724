import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Message } from '#contract/conversations/messages.ts'
import type { MessageTranslation } from '#contract/conversations/translations.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { languageModelQuery } from '../../../connections/language-model/queries.ts'
import { languageName, ownLanguage, showOriginals, useIsAnyOriginal, useIsForeign } from './reading.ts'
import { stopTranslating, translate, useTranslationRun } from './runs.ts'
import styles from './Translations.module.css'

interface BarProps {
  conversation_id: string
  messages: readonly Message[]
  translations: ReadonlyMap<string, readonly MessageTranslation[]>
}

/** Above a thread with messages that the reader does not understand: translates them, and shows the originals again. */
export function TranslationBar({ conversation_id, messages, translations }: BarProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me } = useTeam()
  const { data: model } = useQuery(languageModelQuery)
  const run = useTranslationRun(conversation_id)
  const isForeign = useIsForeign()
  const own = (translation: MessageTranslation) => translation.language === ownLanguage()
  const isTranslated = ({ id }: Message) => !!translations.get(id)?.some(own)
  const translated = messages.filter((message) => isTranslated(message)).map(({ id }) => id)
  const isAnyOriginal = useIsAnyOriginal(translated)
  /** Also short texts without a known language, beside others in a foreign one. */
  const mayBeForeign = ({ private: isPrivate, body, user_id, language }: Message) =>
    !isPrivate && !!body?.trim() && user_id !== me.id && (!language || isForeign(language))
  const wanted = messages.filter((message) => mayBeForeign(message) && !isTranslated(message))
  const named = [...new Set(wanted.flatMap(({ language }) => (language && isForeign(language) ? [language] : [])))]
  const start = () =>
    void translate(
      client,
      conversation_id,
      wanted.map(({ id }) => id),
    )
  if (run?.isRunning) {
    return (
      <div className={styles.bar} role="status">
        <Icon name="wand" size={16} />
        <span className={styles.words}>
          {t('translations.progress', { done: run.total - run.waiting.size, total: run.total })}
        </span>
        <Button size="small" onClick={() => stopTranslating(conversation_id)}>
          {t('translations.stop')}
        </Button>
      </div>
    )
  }
  if (run?.problem !== undefined) {
    return (
      <div className={styles.bar}>
        <Icon name="alert" size={16} />
        <span className={styles.words} role="alert">
          {run.problem}
        </span>
        <Button size="small" onClick={start}>
          {t('retry')}
        </Button>
      </div>
    )
  }
  if (named.length > 0 && model?.is_enabled) {
    return (
      <div className={styles.bar}>
        <Icon name="wand" size={16} />
        <span className={styles.words}>
          {t('translations.languages', { list: named.map(languageName).join(', ') })}
        </span>
        <Button size="small" onClick={start}>
          {t('translations.translate_all')}
        </Button>
      </div>
    )
  }
  if (translated.length === 0) return null
  return (
    <div className={styles.bar}>
      <Icon name="wand" size={16} />
      <span className={styles.words}>{t('translations.by_model')}</span>
      <Button size="small" onClick={() => showOriginals(translated, !isAnyOriginal)}>
        {t(isAnyOriginal ? 'translations.show_translations' : 'translations.show_originals')}
      </Button>
    </div>
  )
}
