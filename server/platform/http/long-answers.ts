import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { takes } from './packed.ts'

/** Characters. What is shorter is through before packing would have paid, also on a slow line. */
const LONG = 200_000
/** Most of what there is to win, for a fraction of the work. */
const LEVEL = 3

/**
 * Packs long answers for clients that unpack them: all saved replies of a large team take twenty seconds on a slow line
 * as they are. What a stranger makes a browser ask for carries no token, so the length of an answer tells them nothing.
 */
export function packLongAnswers(app: FastifyInstance) {
  app.addHook('onSend', async ({ headers }, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < LONG || reply.hasHeader('content-encoding')) return payload
    if (!takes(headers['accept-encoding'], 'gzip')) return payload
    const vary = ['accept-encoding', reply.getHeader('vary')].filter(Boolean).join(', ')
    reply.header('content-encoding', 'gzip').header('vary', vary).removeHeader('content-length')
    return promisify(gzip)(payload, { level: LEVEL })
  })
}
