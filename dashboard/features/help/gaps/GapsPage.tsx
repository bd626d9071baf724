import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GapKind, GapState, HelpGap } from '#contract/help/article-feedback.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { notify } from '../../../ui/notices.ts'
import { Page } from '../../../ui/Page.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { languageName } from '../languages.ts'
import styles from './Gaps.module.css'
import { gapsQuery, markGap } from './queries.ts'

const KINDS = ['no_hits', 'not_helpful', 'read_then_wrote'] as const
const STATES = ['open', 'done', 'ignored'] as const

/** What readers looked for without success, for authors to work through. */
export function GapsPage() {
  const { t } = useTranslation()
  const [kind, setKind] = useState<GapKind>('no_hits')
  const [state, setState] = useState<GapState>('open')
  return (
    <Page title={t('titles.help_gaps')} text={t('help.gaps_text')}>
      <Tabs
        label={t('titles.help_gaps')}
        tabs={KINDS.map((name) => ({ name, title: t(`help.gap_kinds.${name}`) }))}
        current={kind}
        choose={setKind}
      >
        <Choice
          legend={t('help.state')}
          hideLegend
          options={STATES.map((value) => ({ value, label: t(`help.gap_states.${value}`) }))}
          value={state}
          onChange={setState}
        />
        <Gaps key={`${kind} ${state}`} kind={kind} state={state} />
      </Tabs>
    </Page>
  )
}

function Gaps({ kind, state }: { kind: GapKind; state: GapState }) {
  const { t } = useTranslation()
  const query = useQuery(gapsQuery(kind, state))
  if (!query.data) return <QueryView query={query} failed={t('help.gaps_failed')} />
  if (query.data.length === 0) return <EmptyState drawing="rest" title={t('help.no_gaps')} />
  const columns = [t(`help.gap_columns.${kind}`), t('help.times'), t('help.last_at'), t('help.to_do')] as const
  return (
    <Table label={t(`help.gap_kinds.${kind}`)} columns={columns}>
      <Each name="gap" items={query.data} keyOf={({ id }) => id}>
        {(gap) => <Row gap={gap} />}
      </Each>
    </Table>
  )
}

function Row({ gap }: { gap: HelpGap }) {
  const { t } = useTranslation()
  const name = gap.words ?? gap.article?.title ?? ''
  return (
    <tr>
      <td>
        <span dir="auto">
          <Truncate text={name} lines={2} />
        </span>
        <span className={styles.quiet}>{languageName(gap.language)}</span>
        {gap.comments.length > 0 && (
          <ul className={styles.comments} aria-label={t('help.comments')}>
            <Each
              name="comment"
              items={gap.comments}
              keyOf={(comment, at) => `${at} ${comment}`}
              fallback={() => <Undrawn />}
            >
              {(comment) => <li dir="auto">{comment}</li>}
            </Each>
          </ul>
        )}
      </td>
      <td data-label={t('help.times')}>{gap.count}</td>
      <td>{messageTime(gap.last_at)}</td>
      <td>
        <GapTools gap={gap} name={name} />
      </td>
    </tr>
  )
}

function GapTools({ gap, name }: { gap: HelpGap; name: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const mark = async (state: GapState) => {
    try {
      await markGap(client, gap.id, state)
      if (state === 'open') return
      notify({
        kind: 'success',
        title: t(`help.marked.${state}`),
        action: { label: t('help.undo'), run: () => void mark('open') },
      })
    } catch (error) {
      showError('Not marked', error)
    }
  }
  const named = (label: string) => ({ 'aria-label': `${label} ${name}`, children: label })
  return (
    <span className={styles.tools}>
      {gap.article ? (
        <ButtonLink
          size="small"
          to={`/help-center/articles/${gap.article.id}?language=${gap.language}`}
          {...named(t('help.open_article'))}
        />
      ) : (
        <ButtonLink
          size="small"
          to={`/help-center/articles/new?${new URLSearchParams({ title: name, language: gap.language })}`}
          {...named(t('help.write_article'))}
        />
      )}
      {gap.state === 'open' ? (
        <>
          <Button size="small" variant="text" onClick={() => void mark('done')} {...named(t('help.done'))} />
          <Button size="small" variant="text" onClick={() => void mark('ignored')} {...named(t('help.ignore'))} />
        </>
      ) : (
        <Button size="small" variant="text" onClick={() => void mark('open')} {...named(t('help.reopen'))} />
      )}
    </span>
  )
}
