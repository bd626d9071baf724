import { once } from 'node:events'
import type { WriteStream } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

/** Writes a line, and waits while the file takes no more, so that memory stays the same. */
export async function writeLine(file: WriteStream, line: string): Promise<void> {
  if (!file.write(`${line}\n`)) await once(file, 'drain')
}

/** Splits a stream at line feeds only: Node's own reader also splits at characters that people use in texts. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let remainder = ''
  for await (const chunk of stream) {
    const parts = (remainder + decoder.write(chunk)).split('\n')
    remainder = parts.pop()!
    yield* parts
  }
  if (remainder) yield remainder
}
