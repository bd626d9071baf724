-- Thai, Lao, Tibetan, Burmese and Khmer are written without blanks, like Chinese and Japanese: every sign becomes a word,
-- so that a word is found inside a sentence. Punctuation of Arabic, Indic and these scripts separates words, too.
-- contract/search-words.ts folds the same way in the browser.

create or replace function fold_text(said text) returns text language sql immutable parallel safe
return case
  when octet_length(said) = length(said) then regexp_replace(lower(said), '[^a-z0-9]+', ' ', 'g')
  else regexp_replace(
    regexp_replace(
      replace(replace(replace(
        translate(
          lower(regexp_replace(normalize(said, NFKD),
            '[\u00ad\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]+',
            '', 'g')),
          'đłøıħŧðς', 'dloihtdσ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
      '[\u0001-\u002f\u003a-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u0589\u060c\u061b\u061f\u06d4\u0964\u0965\u0e2f\u0e5a\u0e5b\u0f0b-\u0f14\u104a\u104b\u1361-\u1368\u17d4-\u17d6\u17d8-\u17da\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3007-\u3030\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uff0f\ufff0-\uffff\U0001f000-\U0001faff]+',
      ' ', 'g'),
    '([\u0e01-\u0e2e\u0e30-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u0f40-\u0fbc\u1000-\u103f\u1050-\u108f\u1780-\u17d3\u17d7\u17dc\u17dd\u1950-\u19df\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])', ' \1 ', 'g')
end;

-- Only texts with such signs are read again.
update message_words w set words = words_of(m.body)
from messages m
where m.account_id = w.account_id and m.created_at = w.created_at and m.id = w.message_id
  and m.body ~ '[\u0589\u060c\u061b\u061f\u06d4\u0964\u0965\u0e01-\u0fbc\u1000-\u108f\u1361-\u1368\u1780-\u17dd\u1950-\u19df]';

update subject_words s set words = words_of(c.subject)
from conversations c
where c.account_id = s.account_id and c.id = s.conversation_id
  and c.subject ~ '[\u0589\u060c\u061b\u061f\u06d4\u0964\u0965\u0e01-\u0fbc\u1000-\u108f\u1361-\u1368\u1780-\u17dd\u1950-\u19df]';

-- Their words are computed from the name by the database.
update customers set name = name
where concat_ws(' ', name, email, external_id) ~ '[\u0589\u060c\u061b\u061f\u06d4\u0964\u0965\u0e01-\u0fbc\u1000-\u108f\u1361-\u1368\u1780-\u17dd\u1950-\u19df]';
