import { StringDecoder } from 'node:string_decoder'

/** Splits a stream at line feeds only: Node's own reader also splits at characters that people use in texts. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of stream) {
    const parts = (rest + decoder.write(chunk)).split('\n')
    rest = parts.pop()!
    yield* parts
  }
  if (rest) yield rest
}
