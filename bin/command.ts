/** The options of commands that have some. */
export interface Options {
  account?: string[] | undefined
  files?: string | undefined
  'files-endpoint'?: string | undefined
  'dry-run'?: boolean | undefined
  yes?: boolean | undefined
  /** Those of single products. */
  [name: string]: string | string[] | boolean | undefined
}

/** A command of `npm run parley`. */
export interface Command {
  /** What must follow its name. */
  argument?: 'FILE' | 'EMAIL' | 'URL or FILE' | 'COMPANY'
  /** How its options are written. */
  options?: string
  summary: string
  run(argument: string, options: Options): Promise<void>
}
