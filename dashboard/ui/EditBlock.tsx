import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import styles from './EditBlock.module.css'

interface EditBlockProps {
  title: string
  text?: string | undefined
  words: { edit: string; save: string; cancel: string }
  /** Takes what was typed; what it throws it has told by itself. */
  save: () => Promise<void>
  /** Back to what is saved. */
  reset: () => void
  /** Labels and their inputs, which are disabled until somebody edits. */
  children: (isEditing: boolean) => ReactNode
}

/** A part of a settings page that is read until Edit is pressed, and then saved or left as it was. */
export function EditBlock({ title, text, words, save, reset, children }: EditBlockProps) {
  const [isEditing, setEditing] = useState(false)
  const [isSaving, setSaving] = useState(false)
  async function submit() {
    setSaving(true)
    await save().catch(reset)
    setSaving(false)
    setEditing(false)
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
        {children(isEditing)}
        <div className={styles.actions}>
          {isEditing ? (
            <>
              <Button
                onClick={() => {
                  reset()
                  setEditing(false)
                }}
              >
                {words.cancel}
              </Button>
              <Button type="primary" htmlType="submit" loading={isSaving}>
                {words.save}
              </Button>
            </>
          ) : (
            <Button onClick={() => setEditing(true)}>{words.edit}</Button>
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

/** One label with its input. */
export function LabelledField({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the input comes as a child
    <label className={styles.field}>
      <span>{label}</span>
      {children}
    </label>
  )
}
