-- What was found under the addresses of pictures, so that each is asked for no more than once a week. `width` and the like are
-- null where it was no picture; `status` 0: no answer at all.
create table image_checks (
  company text not null, hash text not null, checked_at timestamptz not null, next_at timestamptz not null,
  failures int not null, status int not null, format text, width int, height int, bytes bigint,
  primary key (company, hash));

alter table image_checks enable row level security;
alter table image_checks force row level security;
create policy company_only on image_checks
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on image_checks to kontor_app;
  end if;
end $$;
