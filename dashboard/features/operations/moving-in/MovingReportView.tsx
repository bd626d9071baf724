import { useTranslation } from 'react-i18next'
import type { MovingReport } from '#contract/operations/moving-in.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { saveText } from '../../../platform/http/download.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Table } from '../../../ui/Table.tsx'
import styles from './MovingIn.module.css'

/** What was moved, or would be, and what was not with its reasons. */
export function MovingReportView({ report }: { report: MovingReport }) {
  const { t } = useTranslation()
  const { is_dry_run, tables, left_out, missing_files, text } = report
  const columns = [
    t('moving_in.table'),
    t('moving_in.there'),
    t(is_dry_run ? 'moving_in.would_move' : 'moving_in.moved'),
    t('moving_in.set_aside'),
    t('moving_in.reasons'),
  ] as const
  return (
    <Block
      wide
      title={t(is_dry_run ? 'moving_in.report_check' : 'moving_in.report')}
      text={t(is_dry_run ? 'moving_in.report_check_text' : 'moving_in.report_text')}
    >
      <Table label={t('moving_in.report')} columns={columns} figures={3}>
        <Each items={tables} keyOf={({ table }) => table} name="table">
          {({ table, source, moved, reasons }) => (
            <tr>
              <td>{table}</td>
              <td data-figures data-label={columns[1]}>
                {formatNumber(source)}
              </td>
              <td data-figures data-label={columns[2]}>
                {formatNumber(moved)}
              </td>
              <td data-figures data-label={columns[3]}>
                {formatNumber(source - moved)}
              </td>
              <td className={styles.reasons}>
                {Object.entries(reasons).map(([reason, count]) => (
                  <div key={reason}>
                    {formatNumber(count)} × {reason}
                  </div>
                ))}
              </td>
            </tr>
          )}
        </Each>
      </Table>
      {left_out.length > 0 && (
        <div>
          <p>{t('moving_in.left_out')}</p>
          <ul className={styles.promises}>
            <Each items={left_out} keyOf={({ table }) => table} name="table">
              {({ table, count, advice }) => (
                <li>
                  {table} ({formatNumber(count)}). {advice}
                </li>
              )}
            </Each>
          </ul>
        </div>
      )}
      {missing_files > 0 && <p>{t('moving_in.missing_files', { count: missing_files })}</p>}
      <div className={styles.buttons}>
        <Button onClick={() => saveText(text, 'moving-in.txt')}>{t('moving_in.download')}</Button>
      </div>
    </Block>
  )
}
