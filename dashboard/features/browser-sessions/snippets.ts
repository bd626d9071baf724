interface SnippetSettings {
  account_id: string
  /** Where the server is reached from outside. */
  base: string
}

/** Recorders of the predecessor run only where there is one. Its value means nothing. */
const PUBLIC_KEY = 'parley'

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** What a website puts on its pages, by the way in which it does. */
export const SNIPPETS = {
  html: ({ account_id, base }: SnippetSettings) => `<script>
  window.Papercups = {
    config: {
      accountId: ${quote(account_id)},
      token: ${quote(account_id)},
      baseUrl: ${quote(base)},
      publicKey: ${quote(PUBLIC_KEY)},
    },
  }
</script>
<script async src="${base}/storytime.js"></script>`,
  script: ({ account_id, base }: SnippetSettings) =>
    `<script async src="${base}/storytime.js?account=${account_id}"></script>`,
  module: ({ account_id, base }: SnippetSettings) => `// npm install @papercups-io/storytime
import { Storytime } from '@papercups-io/storytime'

Storytime.init({
  accountId: ${quote(account_id)},
  baseUrl: ${quote(base)},
  publicKey: ${quote(PUBLIC_KEY)},
})`,
} as const

export type SnippetKind = keyof typeof SNIPPETS
