import type { ChannelDefinition } from './channel.ts'

/** A channel definition that matches a topic, with the parameters from the topic’s name. */
export interface Match {
  definition: ChannelDefinition
  params: Record<string, string>
}

type Segment = { literal: string } | { param: string }

interface Pattern {
  definition: ChannelDefinition
  segments: Segment[]
  literalLength: number
}

/**
 * Finds the definition of a topic. `{name}` matches one segment between colons, never an empty one; if several patterns
 * match, the one with the longest literal text wins.
 */
export function compilePatterns(definitions: readonly ChannelDefinition[]): (topic: string) => Match | undefined {
  const patterns = definitions.map(compile).sort((a, b) => b.literalLength - a.literalLength)
  return (topic) => {
    const parts = topic.split(':')
    for (const { definition, segments } of patterns) {
      const params = matchSegments(segments, parts)
      if (params) return { definition, params }
    }
  }
}

function compile(definition: ChannelDefinition): Pattern {
  const segments = definition.pattern.split(':').map((part): Segment => {
    const param = /^\{(\w+)\}$/.exec(part)?.[1]
    return param ? { param } : { literal: part }
  })
  const literalLength = segments.reduce((sum, segment) => sum + ('literal' in segment ? segment.literal.length : 0), 0)
  return { definition, segments, literalLength }
}

function matchSegments(segments: Segment[], parts: string[]): Record<string, string> | undefined {
  if (segments.length !== parts.length) return
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if ('literal' in segment ? segment.literal !== part : part === '') return
    if ('param' in segment) params[segment.param] = part
  }
  return params
}
