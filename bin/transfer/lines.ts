import { StringDecoder } from 'node:string_decoder'

/** The lines of a stream, cut at line feeds alone: Node's own reader also cuts at signs that people write. */
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
