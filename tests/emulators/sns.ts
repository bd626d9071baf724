import { execFileSync } from 'node:child_process'
import { createSign, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startVendor, type Vendor } from './vendor.ts'

export interface Sns extends Vendor {
  /**
   * A signed message as the service posts it; the fields of `changed` are changed after signing, so that the signature
   * is wrong.
   */
  message(values: Partial<SnsFields>, changed?: Partial<SnsFields>): string
}

type SnsFields = Record<
  'Type' | 'Message' | 'Timestamp' | 'SigningCertURL' | 'SubscribeURL' | 'Token' | 'SignatureVersion',
  string
>

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mails'

/** A notification service like Amazon's SNS, with its own certificate. */
export async function startSns(): Promise<Sns> {
  const { key, certificate } = makeCertificate()
  const vendor = await startVendor(({ path }) => {
    if (path === '/own.pem') return { body: certificate }
    if (path === '/confirm') return { body: '<ConfirmSubscriptionResponse/>' }
    return undefined
  })
  return {
    ...vendor,
    message(values, changed = {}) {
      const fields: Record<string, string> = {
        Type: 'Notification',
        MessageId: randomUUID(),
        TopicArn: TOPIC,
        Message: '',
        Timestamp: new Date().toISOString(),
        SignatureVersion: '2',
        SigningCertURL: `${vendor.url}/own.pem`,
        ...values,
      }
      const names =
        fields.Type === 'Notification'
          ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
          : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
      const text = names.flatMap((name) => (name in fields ? [`${name}\n${fields[name]}\n`] : [])).join('')
      const algorithm = fields.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1'
      const Signature = createSign(algorithm).update(text).sign(key, 'base64')
      return JSON.stringify({ ...fields, Signature, ...changed })
    },
  }
}

function makeCertificate(): { key: string; certificate: string } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-sns-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=sns.amazonaws.com'],
      ...['-keyout', keyFile, '-out', certFile],
    ],
    { stdio: 'ignore' },
  )
  const made = { key: readFileSync(keyFile, 'utf8'), certificate: readFileSync(certFile, 'utf8') }
  rmSync(folder, { recursive: true })
  return made
}
