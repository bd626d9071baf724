import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Config } from '../../config.ts'
import { messageOf } from '../../errors.ts'
import { OperatorError } from '../../platform/operator-error.ts'

/**
 * The certificate for receiving encrypted mail (STARTTLS); undefined if none is set.
 * @throws OperatorError if a file cannot be read, or certificate and key do not match
 */
export async function readCertificate({
  mailInTlsCert,
  mailInTlsKey,
}: Pick<Config, 'mailInTlsCert' | 'mailInTlsKey'>): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (!mailInTlsCert && !mailInTlsKey) return undefined
  if (!mailInTlsCert || !mailInTlsKey) {
    throw new OperatorError('Set both MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY, or neither of them.')
  }
  try {
    const [cert, key] = await Promise.all([readFile(mailInTlsCert), readFile(mailInTlsKey)])
    createSecureContext({ cert, key })
    return { cert, key }
  } catch (error) {
    throw new OperatorError(
      `The certificate of MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY cannot be used: ${messageOf(error)}`,
    )
  }
}
