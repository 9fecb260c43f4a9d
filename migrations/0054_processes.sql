-- Which processes work on this database: each says every minute that it is there. The operator may keep one from beginning jobs.
create table processes (
  name text not null primary key, role text not null check (role in ('all', 'web', 'worker')), program text not null,
  started_at timestamptz not null, seen_at timestamptz not null, drained_by text, drained_at timestamptz);
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on processes to kontor_app;
  end if;
end $$;
