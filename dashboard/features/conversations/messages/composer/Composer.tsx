import { type ClipboardEvent, type KeyboardEvent, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isWindowClosed, replyHoursOf } from '#contract/connections/reply-window.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { MESSAGE_BODY_LIMIT } from '#contract/conversations/messages.ts'
import { displayName } from '#contract/customers/customers.ts'
import { isBillingEnabled } from '../../../../platform/environment.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { withTexts } from '../../../../platform/texts.ts'
import { useNow } from '../../../../platform/times.ts'
import { useDialog } from '../../../../platform/useDialog.ts'
import { GrowingText } from '../../../../ui/GrowingText.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { closeInsertArticle, useIsInsertingArticle } from '../../actions/insert-article.ts'
import { closeSendLater, useIsSendingLater } from '../../actions/send-later.ts'
import { useDraft } from '../drafts/useDraft.ts'
import { useAttach } from '../files/attaching.ts'
import { useSendAlso } from '../recipients/useSendAlso.ts'
import type { SendPlan } from '../scheduled/plan.ts'
import styles from './Composer.module.css'
import { ComposerMenu, optionId } from './ComposerMenu.tsx'
import { ComposerTools } from './ComposerTools.tsx'
import { EndedLine, type Ending } from './EndedLine.tsx'
import { isSendKey } from './send-key.ts'
import { type Menu, useComposerMenu } from './useComposerMenu.ts'

const PlanNotice = lazyComponent(async () => (await import('../../../accounts/plan-notices/PlanNotice.tsx')).PlanNotice)
const AttachmentChips = lazyComponent(async () => (await import('../files/AttachmentChips.tsx')).AttachmentChips)
const ChannelLine = lazyComponent(async () => (await import('./ChannelLine.tsx')).ChannelLine)
const WindowLine = lazyComponent(
  withTexts(['channel-templates'], async () => (await import('../templates/WindowLine.tsx')).WindowLine),
)
const RecipientsLine = lazyComponent(async () => (await import('../recipients/RecipientsLine.tsx')).RecipientsLine)

const SuggestionsLine = lazyComponent(
  async () => (await import('../../suggestions/SuggestionsLine.tsx')).SuggestionsLine,
)

const WritingPanel = lazyComponent(
  withTexts(['writing-help'], async () => (await import('../../writing-help/WritingPanel.tsx')).WritingPanel),
)

const ReplyLanguage = lazyComponent(
  withTexts(['translations'], async () => (await import('../translations/ReplyLanguage.tsx')).ReplyLanguage),
)

const SendLaterDialog = lazyComponent(
  withTexts(['scheduled-messages'], async () => (await import('../scheduled/SendLaterDialog.tsx')).SendLaterDialog),
)
const InsertArticleDialog = lazyComponent(
  withTexts(['help'], async () => (await import('../../../help/insert/InsertArticleDialog.tsx')).InsertArticleDialog),
)
const SendAlsoDialog = lazyComponent(async () => (await import('../recipients/SendAlsoDialog.tsx')).SendAlsoDialog)
const SendAnywayDialog = lazyComponent(async () => (await import('./SendAnywayDialog.tsx')).SendAnywayDialog)

/** Loaded lazily, because it is rarely needed. */
const SavedReplyDialog = lazyComponent(
  async () => (await import('../../saved-replies/SavedReplyDialog.tsx')).SavedReplyDialog,
)

interface ComposerProps {
  conversation: Conversation
  /** Number of the newest message on screen. */
  newest_number: number
  /** Set if the conversation is closed or deleted. Sending a reply then reopens it first. */
  ending: Ending | undefined
  /** Called when the composer gets and loses the focus. */
  onWriting: (isWriting: boolean) => void
}

/** Writes replies to the customer and notes to the team. */
export function Composer({ conversation, newest_number, ending, onWriting }: ComposerProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLTextAreaElement>(null)
  const { draft, uploads, isSendable: isComplete, write, mention, send, flush } = useDraft(conversation, newest_number)
  const creating = useDialog()
  const createReply = () => creating.open()
  const { menu, update, press: pressMenu, close } = useComposerMenu(box, conversation, mention, createReply)
  const attach = useAttach(conversation.id)
  const isNote = draft.type === 'note'
  const now = useNow()
  // The server would refuse it, because the channel takes templates only.
  const isSendable = isComplete && (isNote || !isWindowClosed(conversation, now))
  const isSendingLater = useIsSendingLater(conversation.id)
  const isInserting = useIsInsertingArticle(conversation.id)
  const sendAlso = useSendAlso(conversation, draft)
  const asked = useRef<SendPlan>(undefined)
  const optOut = useDialog()
  const isInDoubt = !!conversation.possible_opt_out_at && !isNote
  const submit = async (plan?: SendPlan, send_anyway = false) => {
    asked.current = plan
    if (isSendable && isInDoubt && !send_anyway) return optOut.open()
    if (isSendable && (await sendAlso.mustAsk())) return
    // Notes do not reopen it: the team may still discuss a closed conversation.
    if (ending && !isNote && isSendable && !(await ending.reopen())) return
    send(plan, send_anyway)
  }
  /** At the caret, which the field keeps while a dialog has the focus. */
  const insert = (text: string) => {
    const at = box.current?.selectionEnd ?? draft.body.length
    write({ body: `${draft.body.slice(0, at)}${text}${draft.body.slice(at)}` })
    box.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (pressMenu(event) || !isSendKey(event)) return
    event.preventDefault()
    submit()
  }
  const paste = (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData
    // Office programs add an image to copied text; only the text is wanted.
    if (!attach || files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    attach(files)
  }
  return (
    <div className={styles.composer} data-note={isNote || undefined} onPaste={paste}>
      {ending && <EndedLine ending={ending} />}
      {conversation.source !== 'chat' && !isNote && (
        <Suspense>
          <ChannelLine conversation={conversation} />
        </Suspense>
      )}
      {replyHoursOf(conversation.source) !== undefined && !isNote && (
        <Suspense>
          <WindowLine conversation={conversation} />
        </Suspense>
      )}
      {draft.outdated && <Outdated conversation={conversation} />}
      {isNote && <NoteLine />}
      {conversation.source === 'email' && !isNote && (
        <Suspense>
          <RecipientsLine
            conversation_id={conversation.id}
            chosen={draft.mail}
            subject={conversation.subject}
            sizes={[...(draft.files ?? []), ...uploads].map(({ size }) => size)}
            change={(mail) => write({ mail })}
          />
        </Suspense>
      )}
      {!ending && !isNote && draft.body === '' && (
        <Suspense>
          <SuggestionsLine conversation={conversation} insert={insert} />
        </Suspense>
      )}
      <Suspense>
        <WritingPanel
          conversation_id={conversation.id}
          body={draft.body}
          isNote={isNote}
          box={box}
          write={(body) => write({ body })}
          keepOriginal={(original) => write({ original: draft.original ?? original })}
        />
      </Suspense>
      <LazyMount when={!isNote && draft.body !== ''}>
        {!isNote && <ReplyLanguage conversation_id={conversation.id} draft={draft} write={write} />}
      </LazyMount>
      {menu && <ComposerMenu menu={menu} />}
      <GrowingText
        box={box}
        maxLength={MESSAGE_BODY_LIMIT}
        value={draft.body}
        placeholder={t(isNote ? 'composer.note_placeholder' : 'composer.reply_placeholder')}
        onChange={(body) => {
          write({ body })
          update()
        }}
        onSelect={update}
        onKeyDown={press}
        onFocus={() => onWriting(true)}
        onBlur={() => {
          onWriting(false)
          close()
          flush()
        }}
        {...menuAttributes(menu)}
      />
      <LazyMount when={!!draft.files?.length || uploads.length > 0}>
        <AttachmentChips conversation_id={conversation.id} files={draft.files ?? []} uploads={uploads} />
      </LazyMount>
      <ComposerTools
        draft={draft}
        isSendable={isSendable}
        sendLabel={ending?.sendLabel}
        write={write}
        send={(plan) => submit(plan)}
        conversation={conversation}
        attach={attach}
        box={box}
      />
      <LazyMount when={sendAlso.asked.length > 0}>
        <SendAlsoDialog
          addresses={sendAlso.asked}
          close={sendAlso.close}
          send={() => {
            sendAlso.confirm()
            submit(asked.current)
          }}
        />
      </LazyMount>
      <LazyMount when={optOut.isOpen}>
        <SendAnywayDialog
          name={displayName(conversation.customer)}
          open={optOut.isOpen}
          close={optOut.close}
          send={() => {
            optOut.close()
            submit(asked.current, true)
          }}
        />
      </LazyMount>
      <LazyMount when={isInserting}>
        <InsertArticleDialog open={isInserting} close={closeInsertArticle} insert={insert} />
      </LazyMount>
      <LazyMount when={isSendingLater && isSendable && !isNote}>
        <SendLaterDialog
          customer={conversation.customer}
          open={isSendingLater}
          close={closeSendLater}
          send={(plan) => submit(plan)}
        />
      </LazyMount>
      <LazyMount when={creating.isOpen}>
        <SavedReplyDialog key={creating.turn} open={creating.isOpen} close={creating.close} />
      </LazyMount>
    </div>
  )
}

/** Shows that the customer does not see the note. */
function NoteLine() {
  const { t } = useTranslation()
  return (
    <>
      <div className={styles.note}>
        <Icon name="note" size={16} />
        {t('composer.only_team')}
      </div>
      {isBillingEnabled() && (
        <Suspense>
          <PlanNotice feature="private_notes" />
        </Suspense>
      )}
    </>
  )
}

/** The reply was not sent, because the customer had written meanwhile. */
function Outdated({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  return (
    <div className={styles.line} role="alert">
      <Icon name="alert" size={18} />
      {t('composer.outdated', { name: displayName(conversation.customer) })}
    </div>
  )
}

/** While a menu is open the text field controls it. It stays a text box, because a combo box has only one line. */
function menuAttributes(menu: Menu | undefined) {
  if (!menu) return {}
  return {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': menu.id,
    'aria-activedescendant': optionId(menu.id, menu.active),
  } as const
}
