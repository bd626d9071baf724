import { useTranslation } from 'react-i18next'
import { errorText } from '../../../platform/http/errors.ts'
import { directionOf } from '../languages.ts'
import styles from './Editor.module.css'
import { usePreview } from './usePreview.ts'

interface PreviewProps {
  title: string
  body: string
  language: string
  isShown: boolean
}

/** The article as readers will see it: the server's own rendering, in a frame that runs no scripts. */
export function Preview({ title, body, language, isShown }: PreviewProps) {
  const { t } = useTranslation()
  const { html, error } = usePreview(body, isShown)
  return (
    <>
      {error !== undefined && (
        <p className={styles.wrong} role="alert">
          {errorText(error)}
        </p>
      )}
      <iframe
        className={styles.frame}
        title={t('help.preview')}
        sandbox=""
        srcDoc={pageOf(title || t('help.untitled'), html ?? '', language)}
      />
    </>
  )
}

function pageOf(title: string, html: string, language: string): string {
  const heading = title.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
  return `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8"><title>${heading}</title><style>${STYLE}</style><main tabindex="0"><h1>${heading}</h1>${html}</main></html>`
}

/** Close to the public page. Always light, as most readers see it. */
const STYLE = `
:root{color-scheme:light}
body{margin:0;padding:24px;color:#1c242c;background:#fff;font:16px/1.65 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
main{max-width:680px;margin:auto;outline-offset:8px}
h1{margin:0 0 16px;font-size:28px;line-height:1.25}
h2{margin:32px 0 8px;font-size:21px}h3{margin:24px 0 8px;font-size:17px}
p,ul,ol,pre,table,aside,blockquote{margin:0 0 16px}
img{max-width:100%;height:auto;border-radius:8px}
a{color:#0d5f7a}
pre,code{background:#f3f4f5;border-radius:6px;font-size:14px}code{padding:2px 4px}pre{padding:12px;overflow:auto}
blockquote{padding-inline-start:16px;border-inline-start:3px solid #d2d6da;color:#4a5560}
aside{padding:12px 16px;border-inline-start:4px solid #0d5f7a;border-radius:8px;background:#e9f2f5}
aside :last-child{margin-bottom:0}
.callout-warning,.callout-caution{border-color:#b5590b;background:#fdf1e2}.callout-tip{border-color:#2c8a5d;background:#e8f5ee}
table{border-collapse:collapse;display:block;overflow:auto}th,td{padding:6px 12px;border:1px solid #d9dde1;text-align:start}
.align-center{text-align:center}.align-right{text-align:end}
`
