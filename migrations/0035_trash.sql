-- Catalogues and exports that somebody deleted rest for a while. Nobody sees them but who says so in his transaction
-- (kontor.trash = 'shown'): whatever reads catalogues and exports needs no condition of its own. An export that went with its
-- catalogue comes back with it.
alter table masters add trashed_at timestamptz, add trashed_by text;
alter table exports add trashed_at timestamptz, add trashed_by text, add trashed_with_master boolean not null default false;
do $$ declare t text; begin
  foreach t in array array['masters', 'exports'] loop
    execute format('create policy not_in_trash on %I as restrictive for select
      using (trashed_at is null or current_setting(''kontor.trash'', true) = ''shown'')', t);
  end loop;
end $$;

-- What was deleted for good, in numbers: nothing of its content.
create table deletion_records (
  company text not null, id text not null, kind text not null check (kind in ('catalogue', 'export', 'company')),
  subject text not null, name text not null, asked_by text not null, asked_at timestamptz not null, done_at timestamptz not null,
  table_rows text not null, row_count int not null, file_count int not null, bytes bigint not null,
  primary key (company, id));
alter table deletion_records enable row level security;
alter table deletion_records force row level security;
create policy company_only on deletion_records
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on deletion_records to kontor_app;
  end if;
end $$;
