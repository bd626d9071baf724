import { renderArticle } from './render.ts'
import type { RenderedArticle, Rendering } from './rendered-article.ts'

/** Renders an article in a worker process. */
export function work(rendering: Rendering): RenderedArticle {
  return renderArticle(rendering)
}
