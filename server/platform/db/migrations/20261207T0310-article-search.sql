-- The words of titles apart: short, so that ranking reads them without unpacking the words of the whole text.
alter table published_articles add column title_words tsvector not null generated always as (words_of(title)) stored;
-- Uncompressed, because ranking reads hundreds of them for one search.
alter table published_articles alter column words set storage external;
