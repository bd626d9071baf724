/** Texts longer than this are cut, and attached whole as a file: the search index cannot hold their words. */
export const LONG_BODY = 500_000
/** The length that stays of them. */
export const CUT_BODY = 50_000
