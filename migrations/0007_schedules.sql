-- What is worked out of the documents `schedule` and `stock_schedule`: the next start, and what became of the last ones. `good_run`
-- is the last run that succeeded, `good_at` when that was noticed (or when the schedule was switched on), `overdue_since` since
-- when nothing did, where people were told. The maintenance of a company has a row here, too, without a document.
create table schedules (
  company text not null, subject text not null, scope text not null, revision int not null,
  next_at timestamptz, note text, good_run text, good_at timestamptz not null, overdue_since timestamptz,
  primary key (company, subject, scope));
create index documents_schedules on documents (company, subject, scope, revision) where subject in ('schedule', 'stock_schedule');

-- Cleared away; the row stays, so that runs can say what they made.
alter table snapshots add column gone_at timestamptz;
alter table export_files add column gone_at timestamptz;
-- false: the run wrote only what changed against `base`; the whole file served stays the one before.
alter table export_files add column whole boolean not null default true;
alter table export_files add column base int;
-- The state that the channel has by the last accepted run, where that wrote changes only; null: that of `live_file`.
alter table exports add column delta_file int;

-- The newest file of stock and price that was made between two runs of the export.
create table stock_files (
  company text not null, export text not null, number int not null, runid text not null, bytes bigint not null,
  items bigint not null, etag text not null, mime text not null, ending text not null,
  created_at timestamptz not null default now(),
  primary key (company, export), foreign key (company, export) references exports (company, id) on delete cascade);

do $$
declare name text;
begin
  foreach name in array array['schedules', 'stock_files'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy company_only on %I using (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'') '
      'with check (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'')', name);
    if exists (select 1 from pg_roles where rolname = 'kontor_app') then
      execute format('grant select, insert, update, delete on %I to kontor_app', name);
    end if;
  end loop;
end $$;
