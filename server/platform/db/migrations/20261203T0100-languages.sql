-- The languages of Parley are folders of texts, so the database does not list them.
alter table user_settings
  drop constraint user_settings_language_check,
  drop constraint user_settings_label_language_check;
