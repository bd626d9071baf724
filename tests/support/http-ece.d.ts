/** Encrypted content encodings (RFC 8188 and 8291), which come without types. Declares only what is used. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  export function decrypt(body: Buffer, options: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }): Buffer
}
