/** Texts longer than this are cut, and attached whole as a file: the search index cannot hold their words. */
export const LONG_BODY = 500_000
/** The length that stays of them. */
export const CUT_BODY = 50_000

/** The name of the file with a whole body. */
export const WHOLE_BODY_NAME = 'message.txt'

/** A condition: a row of `messages` has no such file yet. */
export const lacksWholeBody = (message: string) => `not exists (
  select from message_files l join files w on w.account_id = l.account_id and w.id = l.file_id
  where l.account_id = ${message}.account_id and l.message_id = ${message}.id and w.filename = '${WHOLE_BODY_NAME}')`
