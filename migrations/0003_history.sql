-- What a save was, where it was no plain edit: a restored revision, copied rules.
alter table documents add column note text;
-- The list of everything that was saved in a company, newest first.
create index documents_time on documents (company, created_at desc);
