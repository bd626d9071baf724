-- Words are the same in every database. Until now the locale of the database decided what a letter is and how it is written
-- in lower case: with en_US.UTF-8 accents of Thai, Lao, Khmer, Burmese and Japanese were left out, in Turkish databases
-- INVOICE became n, vo and ce, and with C only ASCII was folded. The server splits what people look for by itself.
do $migration$
declare
  -- Letters that one of these locales reads otherwise.
  probe constant text := 'INVOICE ДРУГ Đà Nẵng น้ำ ສິນຄ້າ ខ្ញុំ ပြန် で Ა';
  before constant tsvector := words_of(probe);
  -- The same on every system from PostgreSQL 17 on; before that ICU's, which hardly differs.
  folding constant text := coalesce(
    (select collname from pg_collation where collname in ('pg_c_utf8', 'und-x-icu') order by collname limit 1), 'default');
begin
  execute format($function$
    create or replace function fold_text(said text) returns text language sql immutable parallel safe
    return case
      when octet_length(said) = length(said) then regexp_replace(lower(said collate %1$I), '[^a-z0-9]+', ' ', 'g')
      else regexp_replace(
        regexp_replace(
          replace(replace(replace(
            translate(
              lower(regexp_replace(normalize(said, NFKD),
                '[\u00ad\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]+',
                '', 'g') collate %1$I),
              'đłøıħŧðς', 'dloihtdσ'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
          '[\u0001-\u002f\u003a-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u0589\u060c\u061b\u061f\u06d4\u0964\u0965\u0e2f\u0e5a\u0e5b\u0f0b-\u0f14\u104a\u104b\u1361-\u1368\u17d4-\u17d6\u17d8-\u17da\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3007-\u3030\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uff0f\ufff0-\uffff\U0001f000-\U0001faff]+',
          ' ', 'g'),
        '([\u0e01-\u0e2e\u0e30-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u0f40-\u0fbc\u1000-\u103f\u1050-\u108f\u1780-\u17d3\u17d7\u17dc\u17dd\u1950-\u19df\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])', ' \1 ', 'g')
    end
  $function$, folding);

  -- Words are between blanks, which to_tsvector does not guarantee. Like that one, this reads 4e6 in 4e6a as a number and a as
  -- the next word, so that the words of existing rows stay as they are; keeps the first 16,383 positions; and leaves out longer
  -- words than can be stored.
  create or replace function words_of(said text) returns tsvector language sql immutable parallel safe
  return (
    select coalesce(string_agg('''' || word || ''':' || least(position, 16383), ' '), '')::tsvector
    from unnest(string_to_array(btrim(regexp_replace(
      regexp_replace(fold_text(coalesce(said, '')), '(^| )([0-9]+e[0-9]+)(?=[^0-9 ])', '\1\2 ', 'g'), '  +', ' ', 'g')), ' '))
      with ordinality as folded (word, position)
    where octet_length(word) between 1 and 2046);

  if words_of(probe) = before then return; end if;
  update message_words w set words = words_of(m.body) from messages m
    where m.account_id = w.account_id and m.id = w.message_id and w.words <> words_of(m.body);
  update subject_words s set words = words_of(c.subject) from conversations c
    where c.account_id = s.account_id and c.id = s.conversation_id and s.words <> words_of(c.subject);
  -- The words of these are generated: any update computes them.
  update customers set name = name where words <> words_of(
    coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(external_id, '') || ' ' ||
    coalesce(phone, '') || ' ' || regexp_replace(coalesce(phone, ''), '\D', '', 'g'));
  update article_translations set title = title;
  update published_articles set title = title;
end $migration$;
