-- What the company's people are told: held back states, failed runs. `read_at`: somebody has seen it.
create table notifications (
  company text not null, id text not null, event text not null, title text not null, text text not null,
  path text not null, created_at timestamptz not null default now(), read_at timestamptz,
  primary key (company, id));
create index notifications_time on notifications (company, created_at desc);

alter table notifications enable row level security;
alter table notifications force row level security;
create policy company_only on notifications
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on notifications to kontor_app;
  end if;
end $$;
