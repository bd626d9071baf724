import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'
import { eventSubscriptions } from '#contract/developers/webhooks.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base.extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })

interface Language {
  /** The language of the guide's code block. */
  block: string
  command: string
  arguments: string[]
  file: string
  /** Wraps the sample in a program that reads headers, body and secret as JSON, and prints true or false. */
  program(sample: string): string
}

const LANGUAGES: Language[] = [
  {
    block: 'js',
    command: process.execPath,
    arguments: [],
    file: 'sample.mjs',
    program: (sample) =>
      `${sample}\nimport { readFileSync } from 'node:fs'\nconst {headers, body, secret} = JSON.parse(readFileSync(0, 'utf8'))\nconsole.log(isGenuine(headers, body, secret))`,
  },
  {
    block: 'python',
    command: 'python3',
    arguments: [],
    file: 'sample.py',
    program: (sample) =>
      `${sample}\nimport json, sys\ngiven = json.load(sys.stdin)\nprint(str(is_genuine(given["headers"], given["body"].encode(), given["secret"])).lower())`,
  },
  {
    block: 'php',
    command: 'php',
    arguments: [],
    file: 'sample.php',
    program: (sample) =>
      `<?php\n${sample}\n$given = json_decode(stream_get_contents(STDIN), true);\necho isGenuine($given['headers'], $given['body'], $given['secret']) ? 'true' : 'false';`,
  },
  {
    block: 'ruby',
    command: 'ruby',
    arguments: [],
    file: 'sample.rb',
    program: (sample) =>
      `${sample}\nrequire "json"\ngiven = JSON.parse(STDIN.read)\nputs genuine?(given["headers"], given["body"], given["secret"])`,
  },
  {
    block: 'go',
    command: 'go',
    arguments: ['run'],
    file: 'sample.go',
    program: (sample) => `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "fmt"; "math"; "net/http"; "os"; "strconv"; "strings"; "time")
${sample}
func main() {
	var given struct { Headers map[string]string; Body, Secret string }
	json.NewDecoder(os.Stdin).Decode(&given)
	headers := http.Header{}
	for name, value := range given.Headers { headers.Set(name, value) }
	fmt.Println(IsGenuine(headers, []byte(given.Body), given.Secret))
}`,
  },
]

let receiver: WebhookReceiver
let folder: string
beforeAll(async () => {
  receiver = await startReceiver()
  folder = await mkdtemp(join(tmpdir(), 'parley-samples-'))
})
afterAll(async () => {
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

test('the sample code of the guide accepts only real deliveries, in each language installed on this machine', async ({
  as,
  server,
  world,
}) => {
  const event_subscription = { webhook_url: `${receiver.url}/hook` }
  const { data: webhook } = await as.ada(eventSubscriptions.create, { body: { event_subscription } })
  const { secret } = (await as.ada(eventSubscriptions.reveal, { params: webhook })).data
  await startConversation(server, await startVisitor(server, world.acme.id, { name: 'Walker' }), 'Xin chào, ü')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), { timeout: 30_000, interval: 50 })
  const { headers, text: body } = receiver.received[1]!
  const guide = await readFile(resolve(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8')

  const installed = LANGUAGES.filter(({ command }) => !spawnSync(command, ['--version']).error)
  expect(installed.map(({ block }) => block)).toContain('js')
  for (const { block, command, arguments: before, file, program } of installed) {
    const [, sample] = new RegExp(`\`\`\`${block}\\n([^]*?)\`\`\``).exec(guide) ?? []
    await writeFile(join(folder, file), program(sample ?? ''))
    const believes = (overrides: object) => {
      const input = JSON.stringify({ headers, body, secret, ...overrides })
      const { stdout, stderr } = spawnSync(command, [...before, join(folder, file)], { input, encoding: 'utf8' })
      return stdout.trim() || stderr
    }
    expect(believes({}), block).toBe('true')
    expect(believes({ body: `${body} ` }), block).toBe('false')
    expect(believes({ secret: 'whsec_AAAA' }), block).toBe('false')
    expect(believes({ headers: { ...headers, 'webhook-timestamp': '1' } }), block).toBe('false')
  }
  await as.ada(eventSubscriptions.remove, { params: webhook })
})
