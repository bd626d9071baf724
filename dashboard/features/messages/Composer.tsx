import { Button } from 'antd'
import { type ClipboardEvent, type KeyboardEvent, lazy, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations.ts'
import { customerName } from '#contract/customers.ts'
import { MESSAGE_BODY_LIMIT } from '#contract/messages.ts'
import { Choice } from '../../ui/Choice.tsx'
import { GrowingText } from '../../ui/GrowingText.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { Once } from '../../ui/Once.tsx'
import { useTeam } from '../accounts/account.ts'
import { AttachButton } from './AttachButton.tsx'
import { AttachmentChips } from './AttachmentChips.tsx'
import { useAttach, useUploads } from './attaching.ts'
import styles from './Composer.module.css'
import { type Draft, onDrafts, readDraft, writeDraft } from './drafts.ts'
import { isSendKey } from './send-key.ts'
import { sendDraft } from './sending.ts'
import { useTellTyping } from './useTellTyping.ts'

const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }))

interface ComposerProps {
  conversation: Conversation
  /** Number of the newest message on screen. */
  newest_number: number
}

/** Writes replies to the customer and notes to the team. */
export function Composer({ conversation, newest_number }: ComposerProps) {
  const { t } = useTranslation()
  const { draft, uploads, isSendable, write, send, rest } = useDraft(conversation.id, newest_number)
  const attach = useAttach(conversation.id)
  const isNote = draft.type === 'note'
  const press = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return
    event.preventDefault()
    send()
  }
  const paste = (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData
    // Office programs put a picture beside the text they copy; the text is what was meant.
    if (!attach || files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    attach(files)
  }
  return (
    <div className={styles.composer} data-note={isNote || undefined} onPaste={paste}>
      {draft.outdated && (
        <div className={styles.outdated} role="alert">
          <Icon name="alert" size={18} />
          {t('composer.outdated', { name: customerName(conversation.customer) })}
        </div>
      )}
      <GrowingText
        maxLength={MESSAGE_BODY_LIMIT}
        value={draft.body}
        placeholder={t(isNote ? 'composer.note_placeholder' : 'composer.reply_placeholder')}
        onChange={(body) => write({ body })}
        onKeyDown={press}
        onBlur={rest}
      />
      <AttachmentChips conversation_id={conversation.id} files={draft.files ?? []} uploads={uploads} />
      <Tools draft={draft} isSendable={isSendable} write={write} send={send} attach={attach} />
    </div>
  )
}

interface ToolsProps {
  draft: Draft
  isSendable: boolean
  write: (changes: Partial<Draft>) => void
  send: () => void
  attach: ((files: Iterable<File>) => void) | undefined
}

function Tools({ draft, isSendable, write, send, attach }: ToolsProps) {
  const { t } = useTranslation()
  const [helping, setHelping] = useState(false)
  const isNote = draft.type === 'note'
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
      {attach && (
        <span className={styles.attach}>
          <AttachButton attach={attach} />
        </span>
      )}
      <span className={styles.help}>
        <IconButton icon="keyboard" label={t('shortcuts.title')} placement="top" onClick={() => setHelping(true)} />
      </span>
      <span className={styles.keys}>
        <Keys of="mod+enter" />
      </span>
      <Button type="primary" disabled={!isSendable} onClick={send}>
        {t(draft.outdated ? 'composer.send_anyway' : isNote ? 'composer.add_note' : 'composer.send')}
      </Button>
      <Once wanted={helping}>
        <ShortcutsDialog open={helping} close={() => setHelping(false)} />
      </Once>
    </div>
  )
}

/** The draft of a conversation: writing it, sending it once its files are there, and telling others that one types. */
function useDraft(conversation_id: string, newest_number: number) {
  const { me } = useTeam()
  const draft = useSyncExternalStore(onDrafts, () => readDraft(conversation_id))
  const uploads = useUploads(conversation_id)
  const tellTyping = useTellTyping(conversation_id, me.id)
  const isUploading = uploads.some((upload) => upload.state === 'uploading')
  const isSendable = !isUploading && saysSomething(draft)
  return {
    draft,
    uploads,
    isSendable,
    write(changes: Partial<Draft>) {
      writeDraft(conversation_id, { ...readDraft(conversation_id), ...changes })
      tellTyping(draft.type === 'reply' && !!changes.body?.trim())
    },
    send() {
      if (!isSendable) return
      sendDraft(conversation_id, me.id, draft, newest_number)
      tellTyping(false)
    },
    rest: () => tellTyping(false),
  }
}

function saysSomething({ body, files }: Draft): boolean {
  return body.trim() !== '' || !!files?.length
}
