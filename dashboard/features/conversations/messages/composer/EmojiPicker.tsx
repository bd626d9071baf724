import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './EmojiPicker.module.css'
import { EMOJI_GROUPS, type Emoji, findEmoji } from './emoji.ts'

interface PickerProps {
  choose: (character: string) => void
  close: () => void
}

/** Emoji by group, with a search in the language of the screens and in English. */
export function EmojiPicker({ choose, close }: PickerProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault()
      const [first] = text.trim() ? findEmoji(text) : []
      if (first) choose(first.character)
    } else if (walkGrid(event)) event.preventDefault()
  }
  const matches = text.trim() ? findEmoji(text) : undefined
  return (
    <div className={styles.picker} role="dialog" aria-label={t('composer.emoji')} onKeyDown={press}>
      <input
        type="search"
        // biome-ignore lint/a11y/noAutofocus: the panel was opened to search for something
        autoFocus
        className={styles.search}
        placeholder={t('composer.emoji_search')}
        aria-label={t('composer.emoji_search')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles.groups}>
        {matches ? (
          <Grid emoji={matches} choose={choose} />
        ) : (
          EMOJI_GROUPS.map(({ name, emoji }) => (
            <section key={name} aria-label={t(`composer.emoji_groups.${name}`)}>
              <h3 className={styles.title}>{t(`composer.emoji_groups.${name}`)}</h3>
              <Grid emoji={emoji} choose={choose} />
            </section>
          ))
        )}
        {matches?.length === 0 && <p className={styles.nothing}>{t('composer.emoji_nothing')}</p>}
      </div>
    </div>
  )
}

function Grid({ emoji, choose }: { emoji: readonly Emoji[]; choose: (character: string) => void }) {
  return (
    <div className={styles.grid}>
      {emoji.map(({ character, name }) => (
        <button
          key={name}
          type="button"
          className={styles.emoji}
          title={`:${name}:`}
          aria-label={`${character} ${name.replaceAll('_', ' ')}`}
          onClick={() => choose(character)}
        >
          {character}
        </button>
      ))}
    </div>
  )
}

/** How far an arrow key moves; as many emoji are in a row as there is room for. */
function stepOf(key: string, button: HTMLElement | undefined): number | undefined {
  if (key === 'ArrowRight') return 1
  if (key === 'ArrowLeft') return -1
  const columns = button?.parentElement
    ? getComputedStyle(button.parentElement).gridTemplateColumns.split(' ').length
    : 1
  if (key === 'ArrowDown') return columns
  return key === 'ArrowUp' ? -columns : undefined
}

/** Arrow keys move from the search field into the emoji, and among them. Returns whether the key was handled. */
function walkGrid({ key, target, currentTarget }: KeyboardEvent): boolean {
  const all = [...currentTarget.querySelectorAll('button')]
  const step = stepOf(key, all[0])
  const isInSearch = target instanceof HTMLInputElement
  if (!step || (isInSearch && key !== 'ArrowDown')) return false
  const at = all.indexOf(target as HTMLButtonElement)
  const next = isInSearch ? all[0] : all[at + step]
  if (next) next.focus()
  else if (step < 0) currentTarget.querySelector('input')?.focus()
  return true
}
