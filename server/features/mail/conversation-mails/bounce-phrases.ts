/** How mail servers begin the subject of a bounce, in their languages. Those of answers to one do not match. */
const SUBJECT = new RegExp(
  `^\\W*(?:${[
    '(?:re)?turned (?:mail|to sender|message)',
    '(?:mail|message|e-?mail)?\\s*(?:system )?(?:error|failure|warning)\\b.*(?:mail|deliver|return)?',
    '(?:mail|message|e-?mail)\\s(?:delivery|error|failure|could not|failed|not deliver|undeliver|status|you sent)',
    '(?:your )?(?:mail|message|e-?mail)\\b.*(?:not (?:be )?deliver|undeliver|fail|reject|return|delay|block|bounce)',
    '(?:un|non-?|not )deliver',
    'undeliver',
    'deliver(?:y|ing)\\b.*(?:fail|status|problem|error|notif|report|delay|warning|has|unsuccess|incomplete|impossible)',
    '(?:permanent |temporary |failed )?(?:delivery )?(?:failure|failed|fail)\\b',
    'failure (?:notice|delivery|report)',
    'failed to deliver|unable to deliver|cannot deliver|could not (?:send|deliver)|couldn.t be delivered',
    'warning:? (?:could not|message|mail|e-?mail|delivery)',
    'notice: mail delivery|notification: mail|\\[?bounce\\]?\\b|bounced mail|rejected (?:mail|message)|automatically rejected',
    'we (?:had trouble|could not|were unable)|sorry, your (?:message|mail)',
    'postmaster (?:notify|notification)|nondeliverable|non remis|message non (?:distribu|remis|délivr)|non distribuable|échec de (?:la )?(?:remise|distribution)',
    'unzustellbar|nicht zustellbar|unzugestellt|fehler bei der zustellung|zustellung|rückmeldung|mailzustellung',
    'no se (?:puede|pudo) entregar|no entregado|mensaje no entregado|devuelto|correo devuelto',
    'não (?:foi )?entregue|falha na entrega|mensagem não entregue|impossibile recapitare|mancata consegna|messaggio non recapitato',
    'onbestelbaar|niet (?:te )?bestel|kan niet worden|nie dostarczono|zwrot|niedostarczon|nedoručiteln|doručen',
    'ej levererbart|kunde inte levereras|kan ikke leveres|toimitus|не доставлено|недоставлен|сообщение не|teslim edilemedi|không gửi được|thư bị trả|không thể gửi',
    '.*(?:メール|配信|送信|配送).*(?:エラー|届け|失敗|できません|不能|不達)|.*(?:退信|投递失败|退件|无法投递|無法傳遞|傳送失敗)|.*(?:반송|전송 실패|배달)',
  ].join('|')})`,
  'iu',
)

const TEXT = new RegExp(
  [
    '\\b5\\d\\d[ -](?:\\d\\.\\d+\\.\\d+|[a-z#<*])',
    '\\b[45]\\.\\d{1,2}\\.\\d{1,3}\\b',
    '(?:user|recipient|account|mailbox|address|host|domain)s?\\b.{0,60}\\b(?:unknown|not (?:known|found|exist|available|listed|recogni|accept|local|valid)|unavailable|disabled|does(?:n.t| not) exist|is full|full|over quota|rejected|refused|inactive)',
    '(?:unknown|invalid|no such|bad|unroute?able|illegal|undeliverable|disabled|non-?existent)\\s(?:\\w+\\s){0,2}(?:user|recipient|account|mailbox|address|host|domain|to\\b)',
    'fatal (?:delivery )?errors?|not delivered|no matches to|has been returned|quota|(?:mail|in)box(?: is)? (?:full|temporarily)|too (?:large|big|many hops)|exceeds? (?:the )?(?:maximum|size|limit)',
    '(?:could|can|was|were|did|has|have|is|are)(?:\\s?not|n.t)\\s(?:yet\\s)?(?:be(?:en)?\\s)?(?:able to )?(?:deliver|reach|sent|send|accept)',
    '(?:unable|failed|not possible|impossible) to (?:\\w+\\s)?(?:deliver|reach|send)|undeliver|deliver\\w* (?:\\w+ ){0,6}(?:fail|unsuccess|problem|error|delay)|fail\\w* (?:\\w+ ){0,4}(?:deliver|recipient)',
    'return\\w* (?:\\w+ ){0,3}(?:to (?:the )?sender|message|mail)|permanent (?:fatal )?error|not going to try again|giving up|postponed|has been (?:delayed|rejected|blocked)',
    'nicht zugestellt|unzustellbar|unbekannt|pas pu (?:être|etre) (?:délivré|delivre|remis|distribu)|no (?:se )?(?:pudo|ha podido|fue).{0,30}entreg|não (?:pôde|foi|pode).{0,30}entreg|non (?:è stato|può).{0,30}(?:recapit|consegn)',
    'niet (?:worden )?(?:af)?(?:geleverd|bezorgd)|nie (?:mógł|może|został).{0,40}dostarcz|не (?:может|было|удалось|доставлен).{0,40}(?:доставл|доставить|сообщен)|届け|配信できません|存在しません|无法(?:投递|送达)|退回|không (?:thể )?(?:gửi|chuyển)',
  ].join('|'),
  'iu',
)

const LATE = new RegExp(
  [
    '\\bwill (?:keep|continue|be (?:re)?tr|retry|try|attempt|be made)|delivery attempts will|\\bstill (?:being )?tr(?:y|ied)|retr(?:y|ied) (?:for|until|again)',
    'not (?:need to )?resend|no action is required|warning message only|advisory-only|has(?: been)? (?:delayed|postponed)|not yet been (?:delivered|sent)|(?:is|was|been) delayed|delivery (?:is |temporarily )?delay',
    'weiterhin versucht|noch nicht zugestellt|verzögert|sera (?:de nouveau|retent)|retardé|se seguirá intentando|будут (?:продолж|повтор)|再送|尚未',
  ].join('|'),
  'iu',
)
const LATE_SUBJECT =
  /\b(?:delay(?:ed)?|warning|will (?:keep trying|retry)|not yet been delivered|postponed|verzögert|retardé|advisory)\b/iu
const GIVEN_UP =
  /(?:gave|giv(?:es?|ing)) up|not (?:going to )?(?:try|be (?:re)?tried) (?:again|further)|too long|(?:time|period|lifetime|queue).{0,20}(?:expired|exceeded)|expired|no (?:more|further) (?:attempts|delivery attempts)|permanent/iu

/** Whether a subject is one of a mail server's report. */
export function isBounceSubject(subject: string): boolean {
  return SUBJECT.test(subject.slice(0, 300))
}

/** Whether a text says that a mail was not delivered. */
export function saysUndelivered(text: string): boolean {
  return TEXT.test(text)
}

/** Whether a report says that delivery will be tried again. A code that begins with 4 does not say so. */
export function saysLate(subject: string, text: string): boolean {
  return (LATE_SUBJECT.test(subject) || LATE.test(text)) && !GIVEN_UP.test(text)
}

const SERVER =
  /(?:^|[-_.+])(?:mailer[-_.]?daemon|mail[-_.]?daemon|mdaemon|postmaster|mailer|bounces?|ndr|imss|mail[-_.]?(?:system|service|delivery|gateway|admin\w*)|e500_smtp\w*|\w*antivirus\w*|microsoftexchange[0-9a-f]*)(?:$|[-_.+=])/iu
const SERVER_NAME =
  /\b(?:mailer[- ]?daemon|mail delivery|delivery subsystem|mail (?:delivery )?(?:sub)?system|jetmail system|mail (?:server|service|gateway|administrator)|system administrator|postmaster|microsoft (?:exchange|outlook)|mdaemon|internet mail|returned mail|smtp)\b/iu
const MACHINE =
  /(?:^|[-_.+])(?:delivery|smtp\w*|system|administrator|courier|qmail|exim|fml|root|feedback|notifications?|alerts?|(?:do[-_.]?not|no)[-_.]?reply)(?:$|[-_.+=])/iu

/** Whether an author is a mail server by name, a machine of whatever kind, or neither. */
export function kindOfAuthor({
  address,
  name,
}: {
  address: string
  name: string | null
}): 'server' | 'machine' | 'person' {
  const local = address.slice(0, Math.max(address.lastIndexOf('@'), 0)) || address
  if (SERVER.test(local) || SERVER_NAME.test(name ?? '')) return 'server'
  return MACHINE.test(local) ? 'machine' : 'person'
}
