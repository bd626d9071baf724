import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll } from 'vitest'
import { customers } from '#contract/customers/customers.ts'
import { signedIdentity } from '#contract/customers/signed-identity.ts'
import { test as base, expect } from '#tests/support/fixture.ts'

/** How to run each back-end sample of `docs/widget.md`: the printed code, and one line that calls it. */
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

const folder = await mkdtemp(join(tmpdir(), 'parley-snippets-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const documentation = await readFile(resolve(import.meta.dirname, '../../../../docs/widget.md'), 'utf8')

const test = base.extend('secret', { scope: 'file' }, async ({ as, world }) => {
  return (await as.ada(signedIdentity.createSecret, { params: { id: world.website.id }, body: {} })).data.secret
})

for (const [name, { file, program, version, run, calling }] of Object.entries(BACK_ENDS)) {
  const isInstalled = spawnSync(program, [version]).status === 0

  test.skipIf(!isInstalled)(`what the documentation signs in ${name} is believed`, async ({ as, world, secret }) => {
    const [, code] = new RegExp(`### ${name}\\n\\n\`\`\`\\w+\\n([\\s\\S]+?)\`\`\``).exec(documentation)!
    const path = join(folder, file)
    await writeFile(path, `${code}\n${calling(secret)}\n`)
    const result = spawnSync(program, run(path), { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    const identity_token = (result.stdout || result.stderr).trim()
    const visitor_session = {
      account_id: world.acme.id,
      token: randomBytes(32).toString('base64url'),
      customer_id: randomUUID(),
      identity_token,
    }
    await as.anybody(customers.startSession, { body: { visitor_session } })
    const mine = await as.holder(visitor_session.token)(customers.mine)
    expect(mine.data).toMatchObject({ external_id: '42', email: 'n@x.test', name: 'Nhung Đỗ' })
  })
}
