import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, type World } from '#tests/support/world.ts'

/** How each back end of `docs/widget.md` is run: the code as printed there, and one line that calls it. */
const BACK_ENDS = {
  Node: {
    file: 'sign.mjs',
    program: process.execPath,
    version: '--version',
    run: (file: string) => [file],
    calling: (secret: string) =>
      `console.log(signVisitor({ id: 42, email: 'n@x.test', name: 'Nhung Đỗ' }, '${secret}'))`,
  },
  Python: {
    file: 'sign.py',
    program: 'python3',
    version: '--version',
    run: (file: string) => [file],
    calling: (secret: string) => `print(sign_visitor(42, "n@x.test", "Nhung Đỗ", "${secret}"))`,
  },
  Ruby: {
    file: 'sign.rb',
    program: 'ruby',
    version: '--version',
    run: (file: string) => [file],
    calling: (secret: string) => `puts sign_visitor(42, "n@x.test", "Nhung Đỗ", "${secret}")`,
  },
  PHP: {
    file: 'sign.php',
    program: 'php',
    version: '--version',
    run: (file: string) => [file],
    calling: (secret: string) => `echo sign_visitor(42, 'n@x.test', 'Nhung Đỗ', '${secret}');`,
  },
  Go: {
    file: 'sign.go',
    program: 'go',
    version: 'version',
    run: (file: string) => ['run', file],
    calling: (secret: string) =>
      `func main() {\n\ttoken, _ := SignVisitor("42", "n@x.test", "Nhung Đỗ", "${secret}")\n\tprintln(token)\n}`,
  },
} as const

let server: TestServer
let world: World
let secret: string
let folder: string
let documentation: string

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  const path = `/api/inboxes/${world.website.id}/identity_secrets`
  secret = (await server.request('POST', path, { token: world.ada.token, body: {} })).body.data.secret
  folder = await mkdtemp(join(tmpdir(), 'parley-snippets-'))
  documentation = await readFile(resolve(import.meta.dirname, '../../../docs/widget.md'), 'utf8')
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

for (const [name, { file, program, version, run, calling }] of Object.entries(BACK_ENDS)) {
  const isHere = spawnSync(program, [version]).status === 0

  test.skipIf(!isHere)(`what the documentation signs in ${name} is believed`, async () => {
    const [, code] = new RegExp(`### ${name}\\n\\n\`\`\`\\w+\\n([\\s\\S]+?)\`\`\``).exec(documentation)!
    const path = join(folder, file)
    await writeFile(path, `${code}\n${calling(secret)}\n`)
    const said = spawnSync(program, run(path), { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    const identity_token = (said.stdout || said.stderr).trim()
    const visitor_session = {
      account_id: world.acme.id,
      token: randomBytes(32).toString('base64url'),
      customer_id: randomUUID(),
      identity_token,
    }
    const { status, body } = await server.request('POST', '/api/visitor_sessions', { body: { visitor_session } })
    expect([status, body.error]).toEqual([201, undefined])
    const mine = await server.request('GET', '/api/visitor_sessions', { token: visitor_session.token })
    expect(mine.body.data).toMatchObject({ external_id: '42', email: 'n@x.test', name: 'Nhung Đỗ' })
  })
}
