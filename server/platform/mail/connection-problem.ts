/** What the mail libraries report about a failed connection. */
interface ConnectionFailure {
  code?: string
  /** The code of the connection, if the library replaced it by its own. */
  originalCode?: string
}

/** Codes of certificates that are expired, self-signed, or for another name. */
const CERTIFICATE = /^(\w*CERT\w*|\w*ALTNAME\w*|\w*SELF_SIGNED\w*|UNABLE_TO_(GET|VERIFY)\w*)$/

/** Reasons why a connection to a mail server failed, by the codes or messages of the libraries. */
const REASONS: { of: RegExp; write: (host: string) => string }[] = [
  {
    of: CERTIFICATE,
    write: (host) => `The certificate of ${host} is not valid. Check the host name, or ask its operator.`,
  },
  {
    of: /^(ENOTFOUND|EAI_\w+|ENODATA)$/,
    write: (host) => `There is no server named ${host}. Check its name.`,
  },
  {
    of: /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$|wrong version number/,
    write: (host) => `${host} does not speak TLS on this port. Choose STARTTLS, or the port for TLS.`,
  },
  {
    of: /^ETLS$|does not support STARTTLS/,
    write: (host) => `${host} offers no STARTTLS on this port. Choose TLS, or another port.`,
  },
  {
    of: /^GREETING_TIMEOUT$|Greeting never received/,
    write: (host) => `${host} accepts the connection, but says nothing. If this port expects TLS, choose TLS.`,
  },
  {
    of: /^ECONNREFUSED$/,
    write: (host) => `${host} cannot be reached. Nothing listens on this port: check it.`,
  },
]

/** Why a mail server could not be reached, as a sentence that says what to do; undefined for other errors. */
export function describeConnectionProblem(error: unknown, host: string): string | undefined {
  const { code, originalCode } = error as ConnectionFailure
  const codes = [code, originalCode].map(String)
  const reason = REASONS.find(({ of }) => codes.some((text) => of.test(text)) || of.test((error as Error).message))
  return reason?.write(host)
}

/** Whether the certificate of the mail server was the reason. */
export function isCertificateProblem(error: unknown): boolean {
  const { code, originalCode } = error as ConnectionFailure
  return [code, originalCode].some((text) => CERTIFICATE.test(String(text)))
}
