-- The numbers of articles by state compare the versions of all drafts with what is published. From these indexes they
-- read both in the same order, instead of whole tables whose rows have the texts.
create index article_translations_versions on article_translations (account_id, article_id, language) include (version);
create index published_articles_versions on published_articles (account_id, article_id, language) include (version);
