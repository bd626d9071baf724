import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { bodyLimitOf } from '#server/platform/http/reception.ts'

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '..', path), 'utf8')

/** Bytes of nginx’s `48m`, which are binary, and of Caddy’s `50MB`, which are decimal. */
function bytesOf(size: string): number {
  const [, number, unit] = /^(\d+)(m|MB)$/.exec(size) ?? []
  return Number(number) * (unit === 'm' ? 1024 * 1024 : 1_000_000)
}

/** The limit of each path prefix; the last one that applies is the most specific. */
function nginxLimits(config: string): [string, number][] {
  const general = /\n {2,4}client_max_body_size (\w+);/.exec(config)?.[1] ?? ''
  const specific = config.matchAll(/location (\/\S+) \{\s+client_max_body_size (\w+);/g)
  return [
    ['/', bytesOf(general)],
    ...[...specific].map(([, prefix = '', size = '']) => [prefix, bytesOf(size)] as [string, number]),
  ]
}

function caddyLimits(config: string): [string, number][] {
  const size = (matcher: string) =>
    bytesOf(new RegExp(`request_body @${matcher} \\{\\s+max_size (\\w+)`).exec(config)?.[1] ?? '')
  const [, prefix = ''] = /@mails path (\S+)\*/.exec(config) ?? []
  expect(config).toContain(`@others not path ${prefix}*`)
  return [
    ['/', size('others')],
    [prefix, size('mails')],
  ]
}

test.for([
  ['nginx.conf', nginxLimits],
  ['nginx-tls.conf', nginxLimits],
  ['Caddyfile', caddyLimits],
  ['Caddyfile.single', caddyLimits],
] as const)('deploy/%s lets through what the server accepts, for every call, and little more', ([name, limitsOf]) => {
  const limits = limitsOf(read(`deploy/${name}`))
  const largest = new Map<string, number>()
  for (const endpoint of endpoints) {
    const [prefix, bytes] = limits.findLast(([prefix]) => endpoint.path.startsWith(prefix))!
    expect(bytes, `${endpoint.method} ${endpoint.path}`).toBeGreaterThanOrEqual(bodyLimitOf(endpoint))
    largest.set(prefix, Math.max(largest.get(prefix) ?? 0, bodyLimitOf(endpoint)))
  }
  for (const [prefix, bytes] of limits) expect(bytes, prefix).toBeLessThan(largest.get(prefix)! * 1.1)
})

test('secrets of compose come from .env, which is made once and is in no image', () => {
  const compose = read('compose.yaml')
  const page = read('docs/running/several-servers.md')
  const [, line = ''] = /```sh\n(\[ -e \.env \] \|\| .*> \.env\))\ndocker compose up -d\n```/.exec(page) ?? []
  for (const [, name] of compose.matchAll(/\$\{(\w+):\?/g)) expect(line).toContain(`${name}=%s`)
  expect(compose).toContain('env_file: .env')
  expect(read('.dockerignore').split('\n')).toContain('.env*')
  const copied = [
    ...read('Dockerfile')
      .split(/^FROM /m)
      .at(-1)!
      .matchAll(/^COPY (?!--from)(.*) \S+$/gm),
  ]
  expect(copied.map(([, source]) => source)).toEqual([
    'package.json package-lock.json',
    'contract',
    'locales',
    'server',
    'bin',
  ])
})

test('the proxy of compose starts without all servers, and follows them to new addresses', () => {
  const config = read('deploy/nginx.conf')
  expect(config).toMatch(/resolver 127\.0\.0\.11 valid=2s;/)
  const servers = [...config.matchAll(/^ +server (server-\d):4000 (.*);$/gm)]
  expect(servers.map(([, name]) => name)).toEqual(['server-1', 'server-2'])
  for (const [, name, options] of servers) expect(options, name).toMatch(/^resolve /)
  // Names are resolved at run time only in a zone of shared memory, since 1.27.3.
  expect(config).toMatch(/zone parley /)
  const [, minor] = /image: nginx:1\.(\d+)-/.exec(read('compose.yaml')) ?? []
  expect(Number(minor)).toBeGreaterThanOrEqual(28)
})

test('the changelog begins with the version of this program', () => {
  const [, newest] = /^## (\S+)$/m.exec(read('CHANGELOG.md')) ?? []
  expect(newest).toBe(JSON.parse(read('package.json')).version)
  expect(JSON.parse(read('package-lock.json')).version).toBe(newest)
})

test('containers are checked by /health, and have time for migrations', () => {
  const [check = ''] = /HEALTHCHECK[\s\S]*?\n {2}CMD .*/.exec(read('Dockerfile')) ?? []
  expect(check).toMatch(/--start-period=10m [\s\S]*\/health`/)
})

test('the service of systemd reads the settings where commands read them', () => {
  const service = read('deploy/parley.service')
  expect(service).not.toContain('EnvironmentFile')
  expect(service).toContain('WorkingDirectory=/opt/parley\n')
  expect(read('docs/running/systemd.md')).toContain('Write the settings to `/opt/parley/.env`')
})
