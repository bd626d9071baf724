import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '#server/platform/operator-error.ts'

/** Bytes that are read at once: a row may have megabytes, and is put together from these. */
const PIECE = 1_048_576
/** How files begin: compressed ones, and those of `pg_dump --format=custom` and `--format=tar`. */
const GZIP = Buffer.from([0x1f, 0x8b])
const CUSTOM = Buffer.from('PGDMP')
const TAR = Buffer.from('toc.dat')

interface Dump {
  sql: Readable
  /** How much of the file was read, from 0 to 1; 0 while another program reads it. */
  fractionRead(): number
}

/**
 * Opens a dump as a stream of SQL: a plain file, one compressed with gzip, or one in another format of `pg_dump` where
 * `pg_restore` is installed.
 * @throws OperatorError if it cannot be read; the stream fails with one if it is damaged
 */
export async function openDump(path: string): Promise<Dump> {
  const { first, size } = await readFirst(path)
  if (first.subarray(0, CUSTOM.length).equals(CUSTOM) || first.subarray(0, TAR.length).equals(TAR)) {
    return { sql: convertByPgRestore(path), fractionRead: () => 0 }
  }
  const file = createReadStream(path, { highWaterMark: PIECE })
  const fractionRead = () => file.bytesRead / size
  if (!first.subarray(0, GZIP.length).equals(GZIP)) return { sql: file, fractionRead }
  // Errors of the file reach the reader through the stream.
  const unpacked = createGunzip({ chunkSize: PIECE })
  void pipeline(file, unpacked).catch(() => undefined)
  return { sql: unpacked, fractionRead }
}

async function readFirst(path: string): Promise<{ first: Buffer; size: number }> {
  const file = await open(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new OperatorError(`The file ${path} cannot be read (${code}).`)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return { first: buffer.subarray(0, bytesRead), size: (await file.stat()).size }
  } finally {
    await file.close()
  }
}

/** Reads another format of `pg_dump` by PostgreSQL's own program, which Parley's database does not bring along. */
function convertByPgRestore(path: string): Readable {
  const out = new PassThrough({ highWaterMark: PIECE })
  const child = spawn('pg_restore', ['--data-only', '--no-owner', '--file=-', path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (piece) => {
    complaint = (complaint + String(piece)).slice(0, 1_000)
  })
  child.on('error', () => out.destroy(new OperatorError(notPlain(path))))
  child.on('close', (code) => {
    if (code === 0) out.end()
    else if (code !== null) out.destroy(new OperatorError(`pg_restore cannot read this dump: ${complaint.trim()}`))
  })
  out.on('close', () => child.kill())
  child.stdout.pipe(out, { end: false })
  return out
}

function notPlain(path: string): string {
  return `${path} is a dump in PostgreSQL's custom format. Convert it on a computer that has PostgreSQL's programs: pg_restore --no-owner -f dump.sql ${path}`
}
