import { withoutMarks } from '#contract/without-marks.ts'
import { useLazy } from '../useLazy.ts'

/** Signs that format a text or make it a link. A text without any of them is drawn as it stands. */
const FORMATTED = /[*_`~[\]#>@]|^\s*(?:[-+]|\d+[.)])\s|https?:|www\./im

const bringFormatted = () => import('../lazy/FormattedText.tsx')

/** The words of a message, in their own direction, whatever the page's. Until their formatting is here they stand bare. */
export function MessageText({ body }: { body: string }) {
  const formatted = useLazy(FORMATTED.test(body), bringFormatted)
  if (formatted) return <formatted.FormattedText body={body} />
  return (
    <div className="text" dir="auto">
      {withoutMarks(body)}
    </div>
  )
}
