import { type RefObject, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { withTexts } from '../../../../platform/texts.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Choice } from '../../../../ui/Choice.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { insertText } from '../../../../ui/insert-text.ts'
import { Keys } from '../../../../ui/Keys.tsx'
import { openInsertArticle } from '../../actions/insert-article.ts'
import { openHelp, openPalette } from '../../actions/overlays.ts'
import { keysOf } from '../../actions/registry.ts'
import type { Draft } from '../drafts/drafts.ts'
import { AttachButton } from '../files/AttachButton.tsx'
import type { SendPlan } from '../scheduled/plan.ts'
import styles from './Composer.module.css'
import { EmojiButton } from './EmojiButton.tsx'

const SendMenu = lazyComponent(
  withTexts(['scheduled-messages'], async () => (await import('../scheduled/SendMenu.tsx')).SendMenu),
)

const WritingMenu = lazyComponent(
  withTexts(['writing-help'], async () => (await import('../../writing-help/WritingMenu.tsx')).WritingMenu),
)

interface ToolsProps {
  draft: Draft
  isSendable: boolean
  /** The label of the send button, if it also reopens the conversation. */
  sendLabel: string | undefined
  write: (changes: Partial<Draft>) => void
  send: (plan?: SendPlan) => void
  conversation: Conversation
  attach: ((files: Iterable<File>) => void) | undefined
  box: RefObject<HTMLTextAreaElement | null>
}

/** The toolbar below the text field: message type, things to insert, and the send button. */
export function ComposerTools({ draft, isSendable, sendLabel, write, send, conversation, attach, box }: ToolsProps) {
  const { t } = useTranslation()
  const isNote = draft.type === 'note'
  const insert = (text: string) => {
    const element = box.current
    if (!element) return
    insertText(element, text, element.selectionStart, element.selectionEnd)
    write({ body: element.value })
  }
  return (
    <div className={styles.tools}>
      <Choice
        legend={t('composer.kind')}
        hideLegend
        options={[
          { value: 'reply', label: t('composer.reply') },
          { value: 'note', label: t('composer.note') },
        ]}
        value={draft.type}
        onChange={(type) => write({ type, outdated: false })}
      />
      <span className={styles.gap} />
      <span className={`${styles.attach} ${styles.writing}`}>
        <Suspense>
          <WritingMenu conversation_id={conversation.id} body={draft.body} />
        </Suspense>
      </span>
      <span className={styles.attach}>
        <EmojiButton choose={insert} />
      </span>
      {attach && (
        <span className={styles.attach}>
          <AttachButton attach={attach} />
        </span>
      )}
      <span className={styles.attach}>
        <IconButton
          icon="play"
          label={t('actions.macro')}
          keys={keysOf('macro')}
          placement="top"
          onClick={() => openPalette('macro')}
        />
      </span>
      <span className={styles.help}>
        <IconButton
          icon="book"
          label={t('actions.insert_article')}
          keys={keysOf('insert_article')}
          placement="top"
          onClick={() => openInsertArticle(conversation.id)}
        />
      </span>
      <span className={styles.help}>
        <IconButton
          icon="keyboard"
          label={t('shortcuts.title')}
          keys={keysOf('help')}
          placement="top"
          onClick={openHelp}
        />
      </span>
      <span className={styles.keys}>
        <Keys of="mod+enter" />
      </span>
      {!isNote && (
        <span className={styles.later}>
          <Suspense>
            <SendMenu conversation={conversation} disabled={!isSendable} send={send} />
          </Suspense>
        </span>
      )}
      <Button variant="primary" disabled={!isSendable} onClick={() => send()}>
        {isNote ? t('composer.add_note') : (sendLabel ?? t(draft.outdated ? 'composer.send_anyway' : 'composer.send'))}
      </Button>
    </div>
  )
}
