import { createHmac, generateKeyPairSync } from 'node:crypto'
import { decodeJwt } from 'jose'
import { startVendor, type Vendor, type VendorAnswer, type VendorRequest } from './vendor.ts'

interface Issue {
  number: number
  title: string
  body: string | null
  state: 'open' | 'closed'
  html_url: string
  updated_at: string
}

export interface Github extends Vendor {
  settings: Record<string, string>
  /** Adds an issue to a repository. */
  addIssue(repository: string, title: string): Issue
  /** Somebody opens or closes an issue at GitHub, later than everything before. */
  setState(repository: string, number: number, state: 'open' | 'closed'): Issue
  issue(repository: string, number: number): Issue
  /** Somebody installs the app. Returns a code of that person, who can see the installation. */
  install(login: string): { installation_id: string; code: string }
  uninstall(installation_id: string): void
  /** The owner of the repositories suspends the app, or ends the suspension. */
  suspend(installation_id: string, isSuspended: boolean): void
  /** Lifetime of installation tokens issued from now on. */
  setLifetime(seconds: number): void
  installations: Map<number, string>
  /** The code of an app that was just created from a manifest. */
  manifestCode(): string
  tokens: Set<string>
  /** Sends an event to our server as GitHub does; returns the status. */
  deliverWebhook(server: string, event: GithubEvent): Promise<number>
}

interface GithubEvent {
  type: string
  body: object
  id?: string
  secret?: string
  signature?: string
  account?: string
}

export const PERSONAL_TOKEN = 'github_pat_of_the_tests'
export const WEBHOOK_SECRET = 'a secret of GitHub and us'
const SUSPENDED: VendorAnswer = { status: 403, body: { message: 'This installation has been suspended' } }
const REPOSITORIES = ['acme/shop', 'acme/desk']

/** GitHub's apps, repositories and issues, with faults on demand. */
export async function startGithub(): Promise<Github> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const private_key = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string
  const issues = new Map<string, Issue[]>(REPOSITORIES.map((name) => [name, []]))
  const installations = new Map<number, string>()
  const codes = new Map<string, number[]>()
  const manifests = new Set<string>()
  const tokens = new Set([PERSONAL_TOKEN])
  const userTokens = new Map<string, number[]>()
  /** Installations by their tokens. */
  const tokensOfInstallations = new Map<string, number>()
  const suspended = new Set<number>()
  let [made, clock, lifetime] = [0, Date.now() - 3_600_000, 3_600]
  // Each change gets a second of its own.
  function now(): string {
    clock += 1000
    return new Date(clock).toISOString().replace(/\.\d+Z/, 'Z')
  }

  function asApp({ token = '' }: VendorRequest): boolean {
    try {
      return ['4242', '77'].includes(String(decodeJwt(token).iss))
    } catch {
      return false
    }
  }

  function ofApp({ method, path }: VendorRequest): VendorAnswer {
    const id = Number(path.split('/')[3])
    const login = installations.get(id)
    if (!login) return { status: 404, body: { message: 'Not Found' } }
    if (path.endsWith('/access_tokens')) {
      if (suspended.has(id)) return SUSPENDED
      const token = `ghs_${++made}`
      tokens.add(token)
      tokensOfInstallations.set(token, id)
      return { status: 201, body: { token, expires_at: new Date(Date.now() + lifetime * 1000).toISOString() } }
    }
    if (method === 'DELETE') {
      installations.delete(id)
      return { status: 204 }
    }
    return { body: { id, account: { login }, permissions: { issues: 'write', metadata: 'read' } } }
  }

  const repositoryBody = (full_name: string, id: number) => ({
    id,
    name: full_name.split('/')[1],
    full_name,
    html_url: `https://github.com/${full_name}`,
    private: true,
    owner: { login: full_name.split('/')[0] },
  })

  function ofIssues({ method, path, query, headers, body }: VendorRequest): VendorAnswer {
    const [, , owner, repo, , number] = path.split('/')
    const list = issues.get(`${owner}/${repo}`.toLowerCase())
    if (!list) return { status: 404, body: { message: 'Not Found' } }
    if (method === 'POST') return { status: 201, body: addIssue(`${owner}/${repo}`, String(body.title)) }
    if (!number) {
      const since = query.get('since')
      const changed = list.filter(({ updated_at }) => !since || updated_at >= since)
      const etag = `W/"${createHmac('sha1', 'etag').update(JSON.stringify(changed)).digest('hex')}"`
      if (headers['if-none-match'] === etag) return { status: 304 }
      return { body: changed, headers: { etag } }
    }
    const issue = list.find((candidate) => candidate.number === Number(number))
    if (!issue) return { status: 404, body: { message: 'Not Found' } }
    if (method === 'PATCH') Object.assign(issue, { state: body.state, updated_at: now() })
    return { body: issue }
  }

  function addIssue(repository: string, title: string): Issue {
    const list = issues.get(repository.toLowerCase())!
    const number = list.length + 1
    const html_url = `https://github.com/${repository}/issues/${number}`
    const issue = { number, title, body: 'As written at GitHub.', state: 'open' as const, html_url, updated_at: now() }
    list.push(issue)
    return issue
  }

  const vendor = await startVendor((request) => {
    const { method, path, token = '', body } = request
    if (path.startsWith('/app-manifests/')) {
      if (!manifests.delete(path.split('/')[2]!)) return { status: 404, body: { message: 'Not Found' } }
      const secrets = { pem: private_key, webhook_secret: WEBHOOK_SECRET, client_id: 'Iv1', client_secret: 'hidden' }
      return { status: 201, body: { id: 77, slug: 'parley-of-acme', ...secrets } }
    }
    if (path === '/login/oauth/access_token') {
      const own = codes.get(String(body.code))
      codes.delete(String(body.code))
      // GitHub reports this error with status 200.
      if (!own) return { body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect.' } }
      const access_token = `ghu_${++made}`
      userTokens.set(access_token, own)
      return { body: { access_token, token_type: 'bearer', scope: '' } }
    }
    if (path === '/user/installations') {
      const own = userTokens.get(token)
      return own ? { body: { installations: own.map((id) => ({ id })) } } : { status: 401, body: { message: 'Bad' } }
    }
    if (path.startsWith('/app/installations/')) {
      return asApp(request)
        ? ofApp(request)
        : { status: 401, body: { message: 'A JSON web token could not be decoded' } }
    }
    const isPublic = method === 'GET' && path.startsWith('/repos/acme/desk/') && !token
    if (!tokens.has(token) && !isPublic) return { status: 401, body: { message: 'Bad credentials' } }
    if (suspended.has(tokensOfInstallations.get(token) ?? 0)) return SUSPENDED
    if (path === '/user') return { body: { login: 'ada' } }
    const repositories = REPOSITORIES.map(repositoryBody)
    if (path === '/installation/repositories') return { body: { total_count: 2, repositories } }
    if (path === '/user/repos') return { body: repositories }
    if (/^\/repos\/[^/]+\/[^/]+\/issues/.test(path)) return ofIssues(request)
    return { status: 404, body: { message: 'Not Found' } }
  })

  return {
    ...vendor,
    settings: {
      GITHUB_URL: vendor.url,
      GITHUB_API_URL: vendor.url,
      GITHUB_APP_ID: '4242',
      GITHUB_APP_SLUG: 'parley-for-all',
      GITHUB_APP_PRIVATE_KEY: private_key.replaceAll('\n', '\\n'),
      GITHUB_CLIENT_ID: 'Iv0',
      GITHUB_CLIENT_SECRET: 'hidden',
      GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
    },
    installations,
    tokens,
    addIssue,
    issue: (repository, number) => issues.get(repository)!.find((candidate) => candidate.number === number)!,
    setState(repository, number, state) {
      const issue = issues.get(repository)!.find((candidate) => candidate.number === number)!
      return Object.assign(issue, { state, updated_at: now() })
    },
    install(login) {
      const [id, code] = [9000 + ++made, `code-${made}`]
      installations.set(id, login)
      codes.set(code, [id])
      return { installation_id: String(id), code }
    },
    suspend(id, isSuspended) {
      if (isSuspended) suspended.add(Number(id))
      else suspended.delete(Number(id))
    },
    setLifetime(seconds) {
      lifetime = seconds
    },
    uninstall: (id) => void installations.delete(Number(id)),
    manifestCode() {
      const code = `manifest-${++made}`
      manifests.add(code)
      return code
    },
    async deliverWebhook(
      server,
      { type, body, id = `delivery-${++made}`, secret = WEBHOOK_SECRET, signature, account },
    ) {
      const text = JSON.stringify(body)
      const signed = signature ?? `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
      const query = account ? `?account=${account}` : ''
      const answer = await fetch(`${server}/api/github/webhook${query}`, {
        method: 'POST',
        body: text,
        headers: {
          'content-type': 'application/json',
          'x-github-event': type,
          'x-github-delivery': id,
          'x-hub-signature-256': signed,
        },
      })
      return answer.status
    },
  }
}
