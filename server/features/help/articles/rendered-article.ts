/** A file of the account that the text of an article names. */
export interface ArticleFile {
  id: string
  filename: string
  content_type: string
  width: number | null
  height: number | null
}

/** What is rendered: Markdown, the files that it may show, and the path below which browsers load them. */
export interface Rendering {
  body: string
  files: ArticleFile[]
  filesAt: '/files/' | '/help/files/'
}

/** An article as readers see it. */
export interface RenderedArticle {
  html: string
  text: string
  /** Ids of the files that it shows or links. */
  file_ids: string[]
}
