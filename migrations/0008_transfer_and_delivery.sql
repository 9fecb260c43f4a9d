-- What a channel said about single items (TRA); a connector writes them, files have none. An answer counts only while the export
-- still has the channel it came from.
create table transfer_results (
  company text not null, export text not null, channel text not null, item text not null,
  state text not null check (state in ('sent', 'accepted', 'invalid')),
  code text not null default '', field text not null default '', message text not null default '', at timestamptz not null,
  primary key (company, export, channel, item),
  foreign key (company, export) references exports (company, id) on delete cascade);
create index transfer_results_state on transfer_results (company, export, channel, state, item);

-- How the company's people are told outside of Kontor. The password stands in `secrets`.
create table mail_settings (
  company text primary key, body text not null, author text not null, saved_at timestamptz not null default now());

-- Addresses that are called when something happens. Their secrets stand in `secrets`.
create table webhooks (
  company text not null, id text not null, name text not null, url text not null, events text not null,
  active boolean not null, created_at timestamptz not null default now(),
  primary key (company, id));

-- The outbox: one row for each notification and way out, written with the notification. `channel`: mail, digest or webhook:<id>.
create table deliveries (
  company text not null, id text not null unique, notification text not null, channel text not null, event text not null,
  title text not null, state text not null check (state in ('waiting', 'sent', 'failed', 'dropped')),
  tries int not null default 0, message text not null default '', next_at timestamptz,
  created_at timestamptz not null default now(), ended_at timestamptz,
  primary key (company, notification, channel));
create index deliveries_time on deliveries (company, created_at desc);

do $$
declare name text;
begin
  foreach name in array array['transfer_results', 'mail_settings', 'webhooks', 'deliveries'] loop
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
