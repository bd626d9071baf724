import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { teamsQuery } from '../../features/accounts/teams/queries.ts'
import type { Context } from '../../features/conversations/actions/action.ts'
import type { Scope } from '../../features/conversations/actions/overlays.ts'
import { useMacros } from '../../features/conversations/macros/useMacros.ts'
import { viewsQuery } from '../../features/conversations/views/queries.ts'
import { tagsQuery } from '../../features/customers/tags/queries.ts'
import { inboxesQuery } from '../../features/widget/inboxes/queries.ts'
import { useDebounced } from '../../platform/forms/useDebounced.ts'
import { Each } from '../../ui/Each.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { Undrawn } from '../../ui/PartBoundary.tsx'
import styles from './Palette.module.css'
import { type Entry, listEntries, listMatches, type PaletteScreen } from './palette-entries.ts'
import { rank } from './ranking.ts'
import { readRecent, storeRecent } from './recent-entries.ts'
import { type RecordMatches, recordsQuery } from './records.ts'

const NOTHING: readonly RecordMatches[] = []
/** Rendered at most; others are found by typing. */
const MAX_ENTRIES = 100

interface PaletteProps {
  scope: Scope
  context: Context
  pages: readonly PaletteScreen[]
  close: () => void
}

/** The command palette: type, select with the arrow keys, press Enter. */
export function Palette({ scope, context, pages, close }: PaletteProps) {
  const { t } = useTranslation()
  const list = useId()
  const window = useRef<HTMLDialogElement>(null)
  const search = useMatches(scope, context, pages)
  const { entries, at, setAt } = search
  useEffect(() => window.current?.showModal(), [])

  // Closed before it unmounts, so that the browser restores the focus.
  const leave = () => {
    window.current?.close()
    close()
  }
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    storeRecent(entry.id)
    leave()
    // Last, because it may open a dialog or move the focus.
    entry.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setAt((at + step + entries.length) % Math.max(entries.length, 1))
    else if (event.key === 'Enter') run(entries[at])
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={window}
      className={styles.palette}
      aria-label={t(`palette.titles.${scope}`)}
      onCancel={leave}
      onPointerDown={(event) => event.target === window.current && leave()}
    >
      <div className={styles.frame}>
        <div className={styles.box}>
          <Icon name="search" />
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={entries[at] ? `${list}-${at}` : undefined}
            aria-label={t(`palette.titles.${scope}`)}
            placeholder={t(`palette.titles.${scope}`)}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            value={search.typed}
            onChange={(event) => search.type(event.target.value)}
            onKeyDown={press}
          />
          <Keys of="esc" />
        </div>
        <div id={list} role="listbox" aria-label={t('palette.results')} className={styles.list}>
          <Each name="entry" items={entries} keyOf={(entry) => entry.id} fallback={() => <Undrawn />}>
            {(entry, index) => (
              <Line
                id={`${list}-${index}`}
                entry={entry}
                isAt={index === at}
                point={() => setAt(index)}
                run={() => run(entry)}
              />
            )}
          </Each>
        </div>
        {(entries.length === 0 || search.remaining > 0) && (
          <p className={styles.nothing} role="status">
            {entries.length === 0 ? t(search.nothing) : t('palette.rest', { count: search.remaining })}
          </p>
        )}
      </div>
    </dialog>
  )
}

/** The typed text, the matching entries, and the selected one. */
function useMatches(scope: Scope, context: Context, pages: readonly PaletteScreen[]) {
  const { t } = useTranslation()
  const team = useTeam()
  const { data: tags = [] } = useQuery(tagsQuery)
  const { data: inboxes = [] } = useQuery(inboxesQuery)
  const { data: views = [] } = useQuery(viewsQuery)
  const { macros, run: runMacro } = useMacros()
  const { data: teams = [] } = useQuery(teamsQuery)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [recent] = useState(readRecent)
  const q = useDebounced(scope === 'all' ? typed : '')
  const { data: records } = useQuery(recordsQuery(q))
  const matches = listMatches(context, typed.trim() && q ? (records ?? NOTHING) : NOTHING)
  // A customer's conversations are listed below the customer.
  const named = matches.filter(({ section }) => section !== 'found')
  const available = listEntries({ t, context, team, tags, teams, inboxes, views, macros, runMacro, pages }, scope)
  const ranked = rank([...available, ...named], typed, recent)
  // The server also searches fields that the entry does not show, such as a company's address.
  const all = [...ranked, ...matches.filter((match) => !ranked.includes(match))]
  const entries = all.slice(0, MAX_ENTRIES)
  const type = (text: string) => {
    setTyped(text)
    setAt(0)
  }
  const remaining = all.length - entries.length
  const isTagging = scope === 'tag' && typed === ''
  const isWithoutMacros = scope === 'macro' && macros.length === 0
  const nothing = isWithoutMacros
    ? ('palette.no_macros' as const)
    : !isTagging
      ? ('palette.nothing' as const)
      : tags.length > 0
        ? ('palette.all_tagged' as const)
        : ('palette.no_tags' as const)
  return { typed, type, entries, remaining, nothing, at: Math.min(at, Math.max(entries.length - 1, 0)), setAt }
}

interface LineProps {
  id: string
  entry: Entry
  isAt: boolean
  point: () => void
  run: () => void
}

function Line({ id, entry, isAt, point, run }: LineProps) {
  const { t } = useTranslation()
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAt) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isAt])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles keys
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and refers to the selected option
    <div
      ref={line}
      id={id}
      role="option"
      aria-selected={isAt}
      className={styles.line}
      onPointerMove={() => isAt || point()}
      onClick={run}
    >
      <Icon name={entry.icon} size={18} />
      <span className={styles.title}>{entry.title}</span>
      {entry.keys ? (
        <Keys of={entry.keys} />
      ) : (
        <span className={styles.section}>{t(`actions.sections.${entry.section}`)}</span>
      )}
    </div>
  )
}
