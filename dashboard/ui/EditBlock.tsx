import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './EditBlock.module.css'
import { useUnsaved } from './form-guard.ts'

export interface EditForm<Fields> {
  fields: Fields
  change: (changes: Partial<Fields>) => void
  /** Inputs are disabled while this is false. */
  isEditing: boolean
}

interface EditBlockProps<Fields> {
  title: string
  text?: string | undefined
  labels: { edit: string; save: string; cancel: string }
  /** The saved values, shown until somebody edits. They may change meanwhile. */
  saved: Fields
  /** Saves the values, and shows its own error if it throws. */
  save: (fields: Fields) => Promise<void>
  /** Labels and inputs. */
  children: (form: EditForm<Fields>) => ReactNode
}

/** A section of a settings page that is read-only until Edit is pressed, and then saved or cancelled. */
export function EditBlock<Fields>({ title, text, labels, saved, save, children }: EditBlockProps<Fields>) {
  const [draft, setDraft] = useState<Fields>()
  const [isSaving, setSaving] = useState(false)
  const fields = draft ?? saved
  const isEditing = draft !== undefined
  useUnsaved(isEditing && !isSaving && JSON.stringify(draft) !== JSON.stringify(saved))
  async function submit() {
    setSaving(true)
    await save(fields).catch(() => undefined)
    // Saved values are rendered in the next task; without the wait the old ones would appear for a moment.
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
              <Button onClick={() => setDraft(undefined)}>{labels.cancel}</Button>
              <Button variant="primary" type="submit" loading={isSaving}>
                {labels.save}
              </Button>
            </>
          ) : (
            <Button onClick={() => setDraft(saved)}>{labels.edit}</Button>
          )}
        </div>
      </form>
    </Block>
  )
}

interface BlockProps {
  title: string
  text?: string | undefined
  /** Shows the title above instead of beside, for tables. */
  wide?: boolean
  children: ReactNode
}

/** A titled section of a settings page. */
export function Block({ title, text, wide, children }: BlockProps) {
  return (
    <section className={styles.block} data-wide={wide || undefined} aria-label={title}>
      <div>
        <h2 className={styles.title}>{title}</h2>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  )
}
