-- Every table of a company begins its key with the company and shows its rows to nobody else (T12). The setting
-- kontor.company is made at the start of each transaction; '*' is the system itself (taking jobs, reading tokens).
do $$ begin
  create role kontor_app nologin;
exception when duplicate_object or insufficient_privilege then null;
end $$;

create table masters (
  company text not null, id text not null unique, name text not null,
  key_field text, -- null: no import yet, or items are numbered by their row
  live_snapshot int, created_at timestamptz not null default now(),
  primary key (company, id));

create table snapshots (
  company text not null, master text not null, number int not null, runid text not null,
  items bigint not null, fields text not null, key_field text, source text not null, details text not null default '{}',
  created_at timestamptz not null default now(),
  primary key (company, master, number), foreign key (company, master) references masters (company, id) on delete cascade);

create table exports (
  company text not null, id text not null unique, master text not null, feed_token text not null unique,
  live_file int, created_at timestamptz not null default now(),
  primary key (company, id), foreign key (company, master) references masters (company, id) on delete cascade);

-- One published output of an export: the file itself and its companions lie under items/<company>/<export>/runs/<number>.
create table export_files (
  company text not null, export text not null, number int not null, runid text not null,
  name text not null, bytes bigint not null, items bigint not null, etag text not null, mime text not null,
  companions text not null default '{}', created_at timestamptz not null default now(),
  fetches int not null default 0, last_fetched_at timestamptz,
  primary key (company, export, number), foreign key (company, export) references exports (company, id) on delete cascade);

-- What users edit, each save a new revision (design 2.3). The body is the JSON text as it came over the wire.
create table documents (
  company text not null, subject text not null, scope text not null, revision int not null,
  body text not null, author text not null, created_at timestamptz not null default now(),
  primary key (company, subject, scope, revision));

create table jobs (
  company text not null, id text not null unique, kind text not null, subject text not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled', 'blocked')),
  payload text not null, progress text not null default '{}', result text not null default '{}', message text,
  fence bigint not null default 0, attempts int not null default 0, worker text, lease_until timestamptz,
  cancel boolean not null default false,
  created_at timestamptz not null default now(), started_at timestamptz, finished_at timestamptz,
  primary key (company, id));
create index jobs_open on jobs (created_at) where state in ('queued', 'running');
create index jobs_subject on jobs (company, subject, created_at desc);
-- One job at a time for a subject (a master, an export), whoever tries.
create unique index jobs_one_running on jobs (company, subject) where state = 'running';

create table api_tokens (
  company text not null, id text not null, name text not null, role text not null, hash text not null unique,
  created_at timestamptz not null default now(), last_used_at timestamptz,
  primary key (company, id));

do $$
declare name text;
begin
  foreach name in array array['masters', 'snapshots', 'exports', 'export_files', 'documents', 'jobs', 'api_tokens'] loop
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
