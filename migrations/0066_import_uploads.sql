-- Files that people send for an import in pieces, so that a sender who was cut off goes on where he was. `received`: bytes that are there
-- for good, in this order; `runid`: the import that was ordered with it. Rows go a day after the last piece (docs/operations.md).
create table import_uploads (
  company text not null, id text not null, master text not null, name text not null, content_type text, size bigint not null,
  modified bigint, options text not null, ask_review boolean not null, sent_by text not null, received bigint not null default 0,
  runid text, changed_at timestamptz not null,
  primary key (company, id), foreign key (company, master) references masters on delete cascade,
  check (received between 0 and size));
create index import_uploads_master on import_uploads (company, master);
create table import_pieces (
  company text not null, upload text not null, start bigint not null, bytes int not null, sha256 text not null, file text not null,
  primary key (company, upload, start), foreign key (company, upload) references import_uploads on delete cascade);
alter table import_uploads enable row level security;
alter table import_uploads force row level security;
create policy company_only on import_uploads
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
alter table import_pieces enable row level security;
alter table import_pieces force row level security;
create policy company_only on import_pieces
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on import_uploads, import_pieces to kontor_app;
  end if;
end $$;
