interface SnippetSettings {
  account_id: string
  /** The public address of the server. */
  base: string
}

/** Recorders of Papercups require a public key; the value is not used. */
const PUBLIC_KEY = 'parley'

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The code for websites, by the way it is embedded. */
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
