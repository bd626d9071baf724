import { textOfHtml } from '#server/features/mail/conversation-mails/html-text.ts'
import type { Step } from '../moving-in/reader.ts'
import { rowsOf } from '../moving-in/work-list.ts'

const BATCH = 100

/**
 * Turns HTML into text where a mail's text is HTML, as older versions stored it, or where it has HTML alone. In the
 * table `said`, before it is converted.
 */
export async function readHtmlBodies({ client }: Step): Promise<void> {
  const rows = rowsOf<{ id: string; html: string }>(
    client,
    `select id, case when btrim(coalesce(body, '')) = '' then attributes #>> '{email,html_content,full}' else body end as html
     from said where content_type = 8 and (body ~* '^\\s*<(!doctype|html|head|body|div|p|table|span|br|meta|style)\\y'
       or (btrim(coalesce(body, '')) = '' and attributes #>> '{email,html_content,full}' <> ''))`,
    [],
    BATCH,
  )
  for await (const batch of rows) {
    for (const { id, html } of batch) {
      await client.query('update said set body = nullif($2, $3) where id = $1', [id, textOfHtml(html), ''])
    }
  }
}
