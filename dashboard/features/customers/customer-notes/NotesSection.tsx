import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { CustomerNote } from '#contract/customers/customer-notes.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { showError } from '../../../platform/http/errors.ts'
import { messageTime, useAges } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ShowMore, usePortion } from '../../../ui/Portion.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { MessageText } from '../../conversations/messages/bubble/MessageText.tsx'
import styles from './NotesSection.module.css'
import { deleteNote, writeNote } from './queries.ts'

const LIMIT = 20_000

interface SectionProps {
  customer_id: string
  notes: CustomerNote[]
}

/** The notes on a customer, newest first, and a field to add one. */
export function NotesSection({ customer_id, notes }: SectionProps) {
  const { t } = useTranslation()
  const { shown, remaining, showMore } = usePortion(notes)
  return (
    <>
      <NoteForm customer_id={customer_id} />
      <ul className={styles.notes} aria-label={t('notes.label')}>
        <Each name="note" items={shown} keyOf={(note) => note.id}>
          {(note) => (
            <li className={styles.note}>
              <Note note={note} />
            </li>
          )}
        </Each>
      </ul>
      <ShowMore remaining={remaining} label={t('show_more', { count: remaining })} showMore={showMore} />
    </>
  )
}

/** Enter saves, and Shift+Enter starts a new line, except during input method composition. */
function NoteForm({ customer_id }: { customer_id: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [body, setBody] = useState('')
  const isEmpty = body.trim() === ''
  const { saving, error, submit, guard } = useSaving(async () => {
    if (isEmpty) return
    await writeNote(client, customer_id, body)
    setBody('')
  })

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit}>
      <textarea
        className={styles.box}
        rows={4}
        dir="auto"
        maxLength={LIMIT}
        aria-label={t('notes.placeholder')}
        placeholder={t('notes.placeholder')}
        value={body}
        readOnly={saving}
        onChange={(event) => setBody(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <FormError text={error} />
      {!isEmpty && (
        <Button size="small" variant="primary" type="submit" loading={saving}>
          {t('notes.add')}
        </Button>
      )}
    </form>
  )
}

function Note({ note }: { note: CustomerNote }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const ago = useAges()
  const { me } = useTeam()
  const remove = () => deleteNote(client, note).catch((error) => showError('Note not deleted', error))
  return (
    <>
      <MessageText body={note.body} />
      <footer className={styles.foot}>
        <span>
          {userName(note.author)} ·{' '}
          <time dateTime={note.created_at} title={messageTime(note.created_at)}>
            {ago(note.created_at, 'short')}
          </time>
        </span>
        {(note.author_id === me.id || me.role === 'admin') && (
          <Confirm question={t('notes.confirm')} yes={t('yes')} no={t('no')} run={remove}>
            <button type="button" className={styles.remove} aria-label={t('notes.delete')}>
              <Icon name="trash" size={16} />
            </button>
          </Confirm>
        )}
      </footer>
    </>
  )
}
