import { useLazy } from '../useLazy.ts'

/** Characters that can format a text or make a link. Without any of them it needs no parsing. */
const FORMATTED = /[*_`~[\]#>@]|^\s*(?:[-+]|\d+[.)])\s|https?:|www\./im

const loadFormatted = () => import('../lazy/FormattedText.tsx')

/** A message in the text direction of its own language. Shown as it is until the formatting code is loaded. */
export function MessageText({ body, isOwn }: { body: string; isOwn: boolean }) {
  const formatted = useLazy(FORMATTED.test(body), loadFormatted)
  if (formatted) return <formatted.FormattedText body={body} isOwn={isOwn} />
  return (
    <div className="text" dir="auto" translate="yes">
      {body}
    </div>
  )
}
