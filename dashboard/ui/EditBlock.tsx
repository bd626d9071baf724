import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './EditBlock.module.css'

export interface EditForm<Fields> {
  fields: Fields
  change: (changes: Partial<Fields>) => void
  /** Until somebody edits, inputs are disabled. */
  isEditing: boolean
}

interface EditBlockProps<Fields> {
  title: string
  text?: string | undefined
  words: { edit: string; save: string; cancel: string }
  /** What is shown until somebody edits, as it is now: others may change it meanwhile. */
  saved: Fields
  /** Takes what was typed; what it throws it has told by itself. */
  save: (fields: Fields) => Promise<void>
  /** Labels and their inputs. */
  children: (form: EditForm<Fields>) => ReactNode
}

/** A part of a settings page that is read until Edit is pressed, and then saved or left as it was. */
export function EditBlock<Fields>({ title, text, words, saved, save, children }: EditBlockProps<Fields>) {
  const [draft, setDraft] = useState<Fields>()
  const [isSaving, setSaving] = useState(false)
  const fields = draft ?? saved
  const isEditing = draft !== undefined
  async function submit() {
    setSaving(true)
    await save(fields).catch(() => undefined)
    // What is saved now reaches the screen in the task after this one; without the pause the old would flash up.
    await new Promise((done) => setTimeout(done))
    setSaving(false)
    setDraft(undefined)
  }
  return (
    <Block title={title} text={text}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isEditing && !isSaving) submit()
        }}
      >
        {children({ fields, change: (changes) => setDraft({ ...fields, ...changes }), isEditing })}
        <div className={styles.actions}>
          {isEditing ? (
            <>
              <Button onClick={() => setDraft(undefined)}>{words.cancel}</Button>
              <Button variant="primary" type="submit" loading={isSaving}>
                {words.save}
              </Button>
            </>
          ) : (
            <Button onClick={() => setDraft(saved)}>{words.edit}</Button>
          )}
        </div>
      </form>
    </Block>
  )
}

interface BlockProps {
  title: string
  text?: string | undefined
  /** The title stands above instead of beside: for tables. */
  wide?: boolean
  children: ReactNode
}

/** A titled part of a settings page. */
export function Block({ title, text, wide, children }: BlockProps) {
  return (
    <section className={styles.block} data-wide={wide || undefined} aria-label={title}>
      <div className={styles.words}>
        <h2 className={styles.title}>{title}</h2>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  )
}
